import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** Words that the UI does not use, with replacements. The glossary lists the same words. */
export const uiWords = [
  { word: 'told', say: 'sent, notified or shown', pattern: /\btold\b/i },
  { word: 'tells', say: 'sends, alerts or shows', pattern: /\btells\b/i },
  { word: 'tell nobody', say: 'send nothing', pattern: /\btell nobody\b/i },
  { word: 'acts', say: 'actions', pattern: /\bacts (?:on|of)\b|\bmore acts\b/i },
  { word: 'mend', say: 'fix, or repair', pattern: /\bmend(?:ed|s)?\b/i },
  { word: 'anew', say: 'again, or refresh', pattern: /\banew\b/i },
  { word: 'all the same', say: 'still, or anyway', pattern: /\ball the same\b/i },
  { word: 'out of the ordinary', say: 'unusual, or an anomaly', pattern: /\bout of the ordinary\b/i },
  { word: 'stands here', say: 'appears here', pattern: /\bstands? here\b/i },
  { word: 'hang together', say: 'are connected', pattern: /\bhangs? together\b/i },
  { word: 'was made', say: 'was created', pattern: /\b(?:was|were|is|are) made\b/i },
  { word: 'what for', say: 'description', pattern: /^what (?:for|it is for)\b/i },
  { word: 'took', say: 'duration', pattern: /^took$/i },
] as const;

const folders = ['packages/web/src', 'packages/jobs-dashboard/ui'];

/** Returns the UI texts that contain such a word, with their places. */
export function findUiWordFaults(root: string): string[] {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }));
  return files
    .filter((file) => !/\.test\.tsx?$|\/(?:browser|testing)\//.test(file))
    .flatMap((file) => faultsOf(file, readFileSync(path.join(root, file), 'utf8')));
}

/** @param text  content of a code file. */
export function faultsOf(file: string, text: string): string[] {
  return shownTexts(file, text).flatMap(({ line, shown }) =>
    uiWords
      .filter(({ pattern }) => pattern.test(shown))
      .map(({ word, say }) => `${file}:${line}: "${word}" in "${shown}"; say ${say}.`),
  );
}

type Shown = { readonly line: number; readonly shown: string };

/** Returns the visible texts of a file: text between tags, and literals that are not identifiers of the code. */
function shownTexts(file: string, text: string): Shown[] {
  const source = ts.createSourceFile(
    file,
    text,
    ts.ScriptTarget.Latest,
    true,
    file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const shownParts: Shown[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isLiteralTypeNode(node)) return;
    const shown = textOf(node)?.replaceAll(/\s+/g, ' ').trim();
    if (shown)
      shownParts.push({ line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, shown });
    ts.forEachChild(node, look);
  };
  look(source);
  return shownParts;
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isJsxText(node)) return node.text;
  if (ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)) return node.text;
  if (!ts.isStringLiteral(node) && !ts.isNoSubstitutionTemplateLiteral(node)) return undefined;
  return /^\p{Lu}|\s/u.test(node.text) ? node.text : undefined;
}
