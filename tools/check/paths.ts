import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Documents whose paths have to be there. */
const documents = [
  '{README,ARCHITECTURE,CONTRIBUTING,SECURITY}.md',
  '{docs/adr,docs/guides,spec}/*.md',
  'docs/glossary.md',
];

/** Looks like a path, but is a method of MCP. */
const notPaths = ['tools/call', 'tools/list'];

/** Below which folders a path may be told from, beside the document's own: the repository, the server's sources. */
const bases = ['', 'packages/server/src'];

/**
 * Paths that a document names and that are not there: targets of its links, and what stands in backquotes and looks
 * like a path of ours, which begins with a folder that there is or ends like a file of ours.
 */
export function findMissingPaths(root: string, file: string, text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '');
  const links = [...prose.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
  const missingLinks = links.filter((target) => !existsSync(path.join(root, path.dirname(file), target)));
  const quoted = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, one = '']) => one);
  // A command names paths among its words.
  const named = quoted.flatMap((one) => one.split(' ')).filter((one) => looksLikePath(root, one));
  const missing = named.filter(
    (one) => ![...bases, path.dirname(file)].some((base) => existsSync(path.join(root, base, one))),
  );
  return [...new Set([...missingLinks, ...missing])].map((one) => `${file}: ${one} is not there.`);
}

function looksLikePath(root: string, text: string): boolean {
  if (notPaths.includes(text) || !/^\.?[\w@][\w@.-]*(\/[\w@.-]+)+\/?$/.test(text)) return false;
  const [first = ''] = text.split('/');
  return (
    /\.(ts|tsx|mjs|md|sql|json)$/.test(text) || bases.some((base) => existsSync(path.join(root, base, first)))
  );
}

/** The same for all documents that are read like code. */
export const findPathFaults = (root: string): string[] =>
  documents
    .flatMap((pattern) => globSync(pattern, { cwd: root }).sort())
    .flatMap((file) => findMissingPaths(root, file, readFileSync(path.join(root, file), 'utf8')));
