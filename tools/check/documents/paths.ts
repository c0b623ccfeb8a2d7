import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readHelpPage, sectionsOf } from '../../../packages/web/src/features/help/help-page.ts';

/** Documents whose paths must exist. */
const documents = [
  '{README,ARCHITECTURE,CONTRIBUTING,SECURITY}.md',
  '{docs,docs/adr,docs/guides,docs/recipes,spec}/*.md',
  '{packages,examples}/*/README.md',
];

/** Methods of MCP that resemble paths. */
const notPaths = ['tools/call', 'tools/list'];

/** Base folders of paths in documents, in addition to the document's folder: the repository and the server's sources. */
const bases = ['', 'packages/server/src'];

/**
 * Returns the missing paths that a document names: link targets, and paths in backquotes. A path begins with an
 * existing folder or ends with a file extension of the repository.
 */
export function findMissingPaths(root: string, file: string, text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '');
  const links = [...prose.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
  const anchored = [...prose.matchAll(/\]\(([^)#:]*\.md)?#([^)]+)\)/g)];
  const missingAnchors = anchored.flatMap(([, target = '', anchor = '']) => {
    const at = path.join(root, target === '' ? file : path.join(path.dirname(file), target));
    const targetText = target === '' ? text : existsSync(at) ? readFileSync(at, 'utf8') : undefined;
    return targetText === undefined || anchorsOf(targetText).has(anchor) ? [] : [`${target}#${anchor}`];
  });
  const missingLinks = links.filter((target) => !existsSync(path.join(root, path.dirname(file), target)));
  const quoted = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, one = '']) => one);
  // A quoted command contains paths among its words.
  const named = quoted.flatMap((one) => one.split(' ')).filter((one) => looksLikePath(root, one));
  const missing = named.filter(
    (one) => ![...bases, path.dirname(file)].some((base) => existsSync(path.join(root, base, one))),
  );
  return [...new Set([...missingLinks, ...missingAnchors, ...missing])].map(
    (one) => `${file}: ${one} is not there.`,
  );
}

/** Returns the anchors of a document's headings, in the format of code hosts and of the UI. */
const anchorsOf = (text: string): ReadonlySet<string> =>
  new Set(sectionsOf(readHelpPage('', text)).map(({ anchor }) => anchor));

function looksLikePath(root: string, text: string): boolean {
  if (notPaths.includes(text) || !/^\.?[\w@][\w@.-]*(\/[\w@.-]+)+\/?$/.test(text)) return false;
  const [first = ''] = text.split('/');
  return (
    /\.(ts|tsx|mjs|md|sql|json)$/.test(text) || bases.some((base) => existsSync(path.join(root, base, first)))
  );
}

/** Returns the missing paths of all checked documents. */
export const findPathFaults = (root: string): string[] =>
  documents
    .flatMap((pattern) => globSync(pattern, { cwd: root }).sort())
    .flatMap((file) => findMissingPaths(root, file, readFileSync(path.join(root, file), 'utf8')));
