import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readHelpPage, sectionsOf } from '../../packages/web/src/features/help/help-page.ts';

/** Documents whose paths have to be there. */
const documents = [
  '{README,ARCHITECTURE,CONTRIBUTING,SECURITY}.md',
  '{docs,docs/adr,docs/guides,docs/recipes,spec}/*.md',
  '{packages,examples}/*/README.md',
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
  const anchored = [...prose.matchAll(/\]\(([^)#:]*\.md)?#([^)]+)\)/g)];
  const missingAnchors = anchored.flatMap(([, target = '', anchor = '']) => {
    const at = path.join(root, target === '' ? file : path.join(path.dirname(file), target));
    const known = target === '' ? text : existsSync(at) ? readFileSync(at, 'utf8') : undefined;
    return known === undefined || anchorsOf(known).has(anchor) ? [] : [`${target}#${anchor}`];
  });
  const missingLinks = links.filter((target) => !existsSync(path.join(root, path.dirname(file), target)));
  const quoted = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, one = '']) => one);
  // A command names paths among its words.
  const named = quoted.flatMap((one) => one.split(' ')).filter((one) => looksLikePath(root, one));
  const missing = named.filter(
    (one) => ![...bases, path.dirname(file)].some((base) => existsSync(path.join(root, base, one))),
  );
  return [...new Set([...missingLinks, ...missingAnchors, ...missing])].map(
    (one) => `${file}: ${one} is not there.`,
  );
}

/** The anchors of a document's headings, as code hosts and the drawer of the UI make them. */
const anchorsOf = (text: string): ReadonlySet<string> =>
  new Set(sectionsOf(readHelpPage('', text)).map(({ anchor }) => anchor));

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
