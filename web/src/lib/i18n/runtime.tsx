import { cloneElement, createElement, Fragment, type ReactElement, type ReactNode } from "react";
import { formatMessage, formatParts, type MessageDescriptor, type Part } from "./message";

/** The function that the macro `t` compiles to. */
export const i18n = { _: formatMessage };

type Elements = Readonly<Record<string, ReactElement>>;

/** The component that the macro `Trans` compiles to: a text with elements, which a translation may reorder. */
export function Trans({
  components,
  ...message
}: MessageDescriptor & { components?: Elements }): ReactNode {
  return buildElements(formatParts(message), components ?? {});
}

const TAG = /(<\/?\w+\/?>)/;

/** Puts elements around the texts between their tags. Values are not searched for tags. */
function buildElements(parts: readonly Part[], components: Elements): ReactNode {
  const open: { name: string; children: ReactNode[] }[] = [{ name: "", children: [] }];
  const add = (child: ReactNode) => open.at(-1)?.children.push(child);
  const addElement = (name: string, children: ReactNode[]) => {
    const element = components[name] ?? <Fragment />;
    add(children.length > 0 ? cloneElement(element, {}, ...children) : element);
  };
  const pieces = parts.flatMap<Part>((part) => (typeof part === "string" ? part.split(TAG) : part));
  for (const piece of pieces) {
    if (typeof piece !== "string") add(piece.value as ReactNode);
    else if (!TAG.test(piece)) add(piece);
    else if (piece.endsWith("/>")) addElement(piece.slice(1, -2), []);
    else if (!piece.startsWith("</")) open.push({ name: piece.slice(1, -1), children: [] });
    else if (open.length > 1) {
      const { name, children } = open.pop() ?? { name: "", children: [] };
      addElement(name, children);
    }
  }
  return createElement(Fragment, {}, ...(open[0]?.children ?? []));
}
