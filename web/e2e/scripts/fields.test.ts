import { describe, expect, it } from "vitest";
import openapi from "../../src/api/openapi.json";
import { type Description, findFreeTextFields, fieldUses } from "./fields";
import { payloads } from "./payloads";

const description = openapi as unknown as Description;

describe("the fields that take free text", () => {
  it("are all in the list of fields that get payloads", () => {
    const found = findFreeTextFields(description, payloads);
    expect(found.toSorted()).toEqual(Object.keys(fieldUses).toSorted());
  });
  it("are found in bodies, lists, queries and paths", () => {
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
    expect(findFreeTextFields({ paths: { "/a": { post } }, components }, payloads)).toEqual(
      names.map((name) => `POST /a ${name}`),
    );
  });
});
