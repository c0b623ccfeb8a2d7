import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type ProseScope, proseRules, sentenceWordsMax } from './prose-rules.ts';

/** Hits that remain, by place and rule. No count may rise; `npm run docs` lowers them. */
export type ProseHits = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** One paragraph, one comment or one title, without line breaks. */
type Passage = { readonly scope: ProseScope; readonly line: number; readonly text: string };

export const proseFile = 'tools/check/prose.generated.json';
const longSentence = 'long-sentence';
/** Files whose text is data of this check, or is generated from other texts. */
const exempt =
  /^tools\/check\/language\/prose|\.generated\.|^CHANGELOG\.md$|^docs\/(?:style|errors|settings)\.md$/;
const folders = '{packages,apps,tools,spec,bench,trials,examples,docs}';

/** Returns the texts of the repository for readers, by path. */
export function readProse(root: string): ReadonlyMap<string, string> {
  const files = globSync([`${folders}/**/*.{ts,tsx,mjs,md}`, '*.md'], {
    cwd: root,
    exclude: (entry) => ['node_modules', 'dist'].includes(path.basename(String(entry))),
  });
  const read = files.filter((file) => !exempt.test(file)).sort();
  return new Map(read.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
}

/** Returns the passages of a file. */
export function passagesOf(file: string, text: string): Passage[] {
  return file.endsWith('.md') ? paragraphsOf(text) : [...commentsOf(text), ...titlesOf(text)];
}

/** Joins lines for which `partOf` returns text; undefined ends a passage. */
function joined(lines: readonly string[], scope: ProseScope, partOf: (line: string) => string | undefined) {
  const passages: Passage[] = [];
  let parts: string[] = [];
  const end = (line: number) => {
    const text = parts.join(' ').trim();
    if (text !== '') passages.push({ scope, line: line - parts.length + 1, text });
    parts = [];
  };
  for (const [index, line] of lines.entries()) {
    const part = partOf(line);
    if (part === undefined || part === '') end(index);
    else parts.push(part);
  }
  end(lines.length);
  return passages;
}

/** Paragraphs, list items and table cells, without code. */
function paragraphsOf(text: string): Passage[] {
  let isCode = false;
  const lines = text.split('\n').flatMap((line) => {
    if (line.startsWith('```')) isCode = !isCode;
    if (isCode || line.startsWith('```') || line.startsWith('#')) return [''];
    return /^\s*(?:[-*|]|\d+\.) ?/.test(line) ? ['', line] : [line];
  });
  const prose = (line: string) =>
    line
      .replace(/^\s*(?:[-*]|\d+\.) /, '')
      .replaceAll(/`[^`]*`/g, 'code')
      .trim();
  return joined(lines, 'documents', prose);
}

/** Comments that have lines of their own, as the formatter leaves them. */
function commentsOf(text: string): Passage[] {
  return joined(text.split('\n'), 'comments', (line) => {
    const [, part] = /^\s*(?:\/\*\*?|\*(?!\/)|\/\/) ?(.*?)(?:\s*\*\/)?$/.exec(line) ?? [];
    return part?.startsWith('@') || part?.startsWith('biome-ignore')
      ? undefined
      : part?.replaceAll(/`[^`]*`/g, 'code');
  });
}

/** `it('…',`, `scenario([…], '…',` and the end of `it.each([…])('…',`. */
const title =
  /(?:\b(?:it|test|describe|scenario)(?:\.\w+)*\(\s*(?:\[[^\]]*\],\s*)?|\]\s*(?:as const\s*)?,?\s*\)\(\s*)(['"])(.+?)\1,/g;

function titlesOf(text: string): Passage[] {
  return [...text.matchAll(title)].map((match) => ({
    scope: 'titles',
    line: text.slice(0, match.index).split('\n').length,
    text: match[2] ?? '',
  }));
}

/** Returns the names of the rules that a passage breaks, once for each hit. */
export function hitsOf({ scope, text }: Passage): string[] {
  const hits = proseRules
    .filter(({ scopes }) => scopes?.includes(scope) ?? true)
    .flatMap(({ name, pattern }) => {
      const all = pattern.source.startsWith('^') ? pattern : new RegExp(pattern.source, `${pattern.flags}g`);
      return (text.match(all) ?? []).map(() => name);
    });
  const sentences = scope === 'titles' ? [] : text.split(/(?<=[.:;!?])\s+/);
  const long = sentences.filter((sentence) => sentence.split(/\s+/).length > sentenceWordsMax);
  return [...hits, ...long.map(() => longSentence)];
}

/**
 * Returns the place of a file, such as `packages/server` or `docs/adr`. Hits count per place, so a file may move within
 * one.
 */
const placeOf = (file: string): string => file.split('/').slice(0, -1).slice(0, 2).join('/') || '.';

export function countHits(files: ReadonlyMap<string, string>): ProseHits {
  const counts: Record<string, Record<string, number>> = {};
  for (const [file, text] of files) {
    counts[placeOf(file)] ??= {};
    const place = counts[placeOf(file)] ?? {};
    for (const passage of passagesOf(file, text))
      for (const rule of hitsOf(passage)) place[rule] = (place[rule] ?? 0) + 1;
  }
  const sorted = (place: Record<string, number>) =>
    Object.fromEntries(Object.entries(place).sort(([a], [b]) => a.localeCompare(b)));
  return Object.fromEntries(
    Object.entries(counts)
      .filter(([, place]) => Object.keys(place).length > 0)
      .map(([name, place]) => [name, sorted(place)]),
  );
}

export const readAllowedHits = (root: string): ProseHits =>
  JSON.parse(readFileSync(path.join(root, proseFile), 'utf8')) as ProseHits;

/** Returns the list for `npm run docs`: no count is higher than before. */
export function lowerHits(counted: ProseHits, allowed: ProseHits): ProseHits {
  return Object.fromEntries(
    Object.entries(counted).flatMap(([place, rules]) => {
      const lowered = Object.entries(rules)
        .map(([rule, count]) => [rule, Math.min(count, allowed[place]?.[rule] ?? 0)] as const)
        .filter(([, count]) => count > 0);
      return lowered.length > 0 ? [[place, Object.fromEntries(lowered)]] : [];
    }),
  );
}

const shownMax = 10;

/** Finds folders with more hits of a rule than the list allows, and names places of such hits. */
export function findProseFaults(root: string): string[] {
  const files = readProse(root);
  const allowed = readAllowedHits(root);
  return Object.entries(countHits(files)).flatMap(([place, rules]) =>
    Object.entries(rules).flatMap(([rule, count]) => {
      const most = allowed[place]?.[rule] ?? 0;
      if (count <= most) return [];
      const write =
        proseRules.find(({ name }) => name === rule)?.write ?? `at most ${sentenceWordsMax} words`;
      const places = [...files]
        .filter(([file]) => placeOf(file) === place)
        .flatMap(([file, text]) =>
          passagesOf(file, text)
            .filter((passage) => hitsOf(passage).includes(rule))
            .map(({ line, text: passage }) => `  ${file}:${line}: ${passage.slice(0, 100)}`),
        );
      const head = `${place}: ${count} hits of "${rule}", ${most} allowed. Write: ${write}. Some of them:`;
      return [head, ...places.slice(0, shownMax)];
    }),
  );
}
