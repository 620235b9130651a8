// Fails if a text of the app has no translation, or a translation no text; `npm run texts` fixes the latter.
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { getCatalogs } from "@lingui/cli/api";
import { getConfig } from "@lingui/conf";

/** The names of values and elements in a message, which a translation must contain too. */
function findPlaceholders(message) {
  const names = new Set(message.match(/<\/?\w+\/?>/g));
  const visit = (tokens) => {
    for (const token of Array.isArray(tokens) ? tokens : []) {
      if (!Array.isArray(token)) continue;
      names.add(token[0]);
      Object.values(token[2] ?? {}).forEach(visit);
    }
  };
  visit(compileMessage(message));
  return [...names].toSorted().join(" ");
}

const config = getConfig();
const problems = [];
for (const catalog of await getCatalogs(config)) {
  const texts = (await catalog.collect()) ?? {};
  for (const locale of config.locales) {
    const file = catalog.getFilename(locale);
    const stored = (await catalog.read(locale)) ?? {};
    for (const [id, { message, origin }] of Object.entries(texts)) {
      const translation = stored[id]?.translation;
      const where = `${file}: "${message}" (${origin?.[0]?.[0]})`;
      if (!(id in stored)) problems.push(`${where} is missing`);
      else if (!translation) problems.push(`${where} is not translated`);
      else if (findPlaceholders(message) !== findPlaceholders(translation))
        problems.push(`${where} has other placeholders than its translation`);
    }
    for (const [id, { message }] of Object.entries(stored)) {
      if (!(id in texts)) problems.push(`${file}: "${message}" is in no source file any more`);
    }
  }
}
if (problems.length > 0) {
  console.error(`${problems.join("\n")}\nRun "npm run texts", then translate what is empty.`);
  process.exitCode = 1;
}
