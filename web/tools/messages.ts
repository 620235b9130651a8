import { type PluginObj, transformAsync, types } from "@babel/core";
import linguiMacro from "@lingui/babel-plugin-lingui-macro";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import type { Plugin } from "vite";

const isMarked = ({ leadingComments }: types.Node) =>
  Boolean(leadingComments?.some(({ value }) => value === "i18n"));

/** Parses the English texts of Lingui's macros, so that the app contains no parser. */
function compileInlineMessages(): PluginObj {
  return {
    visitor: {
      Program: {
        exit(program) {
          program.traverse({
            ObjectExpression({ node }) {
              if (!isMarked(node)) return;
              for (const property of node.properties) {
                if (!types.isObjectProperty(property) || !types.isStringLiteral(property.value))
                  continue;
                if (!types.isIdentifier(property.key, { name: "message" })) continue;
                property.value = types.valueToNode(compile(property.value.value));
              }
            },
          });
        },
      },
    },
  };
}

/** A message as the app stores it: its text, or if it has placeholders, its tokens. */
function compile(message: string): string | unknown[] {
  const tokens = compileMessage(message);
  if (typeof tokens === "string") return tokens;
  return tokens.every((token) => typeof token === "string") ? tokens.join("") : tokens;
}

/** Replaces Lingui's macros by function calls to `lib/i18n/runtime`, with the English text of each message beside its id. */
export function messages(): Plugin {
  return {
    name: "messages",
    enforce: "pre",
    transform: {
      filter: { id: /\.tsx?$/, code: /@lingui\/(?:core|react)\/macro/ },
      async handler(code, id) {
        const result = await transformAsync(code, {
          filename: id,
          babelrc: false,
          configFile: false,
          sourceMaps: true,
          parserOpts: { plugins: ["typescript", ...(id.endsWith("x") ? ["jsx" as const] : [])] },
          plugins: [[linguiMacro, { stripMessageField: false }], compileInlineMessages],
        });
        return { code: result?.code ?? code, map: result?.map ?? null };
      },
    },
  };
}
