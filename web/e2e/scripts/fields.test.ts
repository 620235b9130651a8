import { describe, expect, it } from "vitest";
import openapi from "../../src/api/openapi.json";
import { type Description, freeTexts, places } from "./fields";
import { payloads } from "./payloads";

const description = openapi as unknown as Description;

describe("the fields that take free text", () => {
  it("all have a place among those that scripts are tried in", () => {
    const found = freeTexts(description, payloads);
    expect(found.toSorted()).toEqual(Object.keys(places).toSorted());
  });
  it("are found in bodies, lists, queries and addresses", () => {
    const text = { type: "string" };
    const post = {
      parameters: [
        { name: "q", in: "query", schema: text },
        { name: "cursor", in: "query", schema: { ...text, pattern: "^[0-9]+$" } },
      ],
      requestBody: {
        content: {
          "application/json": {
            schema: {
              properties: {
                words: { type: ["string", "null"] },
                kind: { ...text, enum: ["a"] },
                list: { type: "array", items: { properties: { inside: text } } },
                count: { type: "integer" },
                other: { $ref: "#/components/schemas/Other" },
              },
            },
          },
        },
      },
    };
    const components = { schemas: { Other: { oneOf: [{ properties: { deep: text } }] } } };
    const names = ["q", "words", "list[].inside", "other.deep"];
    expect(freeTexts({ paths: { "/a": { post } }, components }, payloads)).toEqual(
      names.map((name) => `POST /a ${name}`),
    );
  });
});
