import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A word that code does not use, since the field has another one. */
export type BannedWord = {
  readonly word: string;
  /** What to say instead. */
  readonly say: string;
  /** Looked for in names and comments, in lower case with compound names taken apart: `sharedTrip` is `shared trip`. */
  readonly pattern?: RegExp;
  /** Looked for in the text as it stands, where only the spelling tells a name from an ordinary word. */
  readonly spelling?: RegExp;
};

/** What `docs/glossary.md` bans; a test compares the two. */
export const bannedWords: readonly BannedWord[] = [
  { word: 'trip', say: 'pipeline, or batch', pattern: /(?<!round )\btrips?\b/ },
  { word: 'presumption', say: 'speculation', pattern: /\bpresum/ },
  { word: 'kept links', say: 'connection pool', pattern: /\bkept links?\b/ },
  {
    word: 'signed settings',
    say: 'startup options',
    pattern: /\bsigned settings?\b|\bsettings signed\b/,
  },
  { word: 'waits for company', say: 'coalesce', pattern: /\b(waits? for|is|its|in) company\b/ },
  { word: 'world', say: 'fixture', pattern: /\bworlds?\b(?! hint)/ },
  { word: 'workbench', say: 'fixture', pattern: /\bworkbench/ },
  { word: 'delivering', say: 'fixture', spelling: /\bDelivering\b|\bstartDelivering\b|\/delivering\.ts/ },
  {
    word: 'judge',
    say: 'what the function decides',
    spelling: /\bjudge(?:[A-Z]\w*)?(?=\(| =|,| \})/,
  },
  {
    word: 'plain',
    say: 'fast path, or the word for what is meant',
    pattern: /\bplain (calls?|links?|serving)\b|\bis plain\b/,
  },
];

/** Files that still have a banned word, by the word. The list only shrinks. */
export type AllowedFiles = Readonly<Record<string, readonly string[]>>;

export const allowedFile = 'tools/check/banned-words.generated.json';
const codeFolders = ['packages', 'apps', 'tools', 'spec', 'bench', 'trials', 'examples'];
/** Where the words have to be spelled. */
const ownFiles = /^tools\/check\/(banned-words|glossary|documents)/;

export const readAllowed = (root: string): AllowedFiles =>
  JSON.parse(readFileSync(path.join(root, allowedFile), 'utf8')) as AllowedFiles;

/** All code, with the text of each file. */
export function readCode(root: string): ReadonlyMap<string, string> {
  const files = globSync(`{${codeFolders.join(',')}}/**/*.{ts,tsx,mjs}`, {
    cwd: root,
    exclude: (entry) => ['node_modules', 'dist'].includes(path.basename(String(entry))),
  });
  const own = files.filter((file) => !file.includes('.generated.') && !ownFiles.test(file)).sort();
  return new Map(own.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
}

/** Whether a file has the word in its name or in its text. */
export function hasWord({ pattern, spelling }: BannedWord, file: string, text: string): boolean {
  const all = `${file}\n${text}`;
  return (pattern?.test(wordsOf(all)) ?? false) || (spelling?.test(all) ?? false);
}

const wordsOf = (text: string): string =>
  text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase();

/** A file is allowed when it is listed, or when one of its name is listed that has gone: then it was moved. */
const isAllowed = (root: string, listed: readonly string[], file: string): boolean =>
  listed.includes(file) ||
  listed.some((old) => path.basename(old) === path.basename(file) && !existsSync(path.join(root, old)));

/** Files that have a banned word and may not. */
export function findBannedWords(
  root: string,
  code: ReadonlyMap<string, string>,
  allowed: AllowedFiles,
): string[] {
  return bannedWords.flatMap((banned) =>
    [...code]
      .filter(([file, text]) => hasWord(banned, file, text))
      .filter(([file]) => !isAllowed(root, allowed[banned.word] ?? [], file))
      .map(([file]) => `${file}: "${banned.word}" is not used here; say ${banned.say} (docs/glossary.md).`),
  );
}

/** The list without files that have the word no more, and with those that were moved: what `npm run docs` writes. */
export function trimAllowed(
  root: string,
  code: ReadonlyMap<string, string>,
  allowed: AllowedFiles,
): AllowedFiles {
  const kept = bannedWords.map((banned) => {
    const listed = allowed[banned.word] ?? [];
    const files = [...code].filter(
      ([file, text]) => hasWord(banned, file, text) && isAllowed(root, listed, file),
    );
    return [banned.word, files.map(([file]) => file)] as const;
  });
  return Object.fromEntries(kept.filter(([, files]) => files.length > 0));
}
