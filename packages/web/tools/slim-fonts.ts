import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const madeFolder = path.join(import.meta.dirname, '../node_modules/.slim-fonts');

/** What marks and letters need to stand where they belong. */
const placing = ['ccmp', 'kern', 'locl', 'mark', 'mkmk'];
/** The text's font: what browsers apply by themselves, and what the pages ask for. */
const sansFeatures = [...placing, 'calt', 'clig', 'liga', 'rlig', 'ss01', 'tnum'];
/** The font of code has no ligatures: what is read is what stands there. */
const monoFeatures = placing;
/** The two weights of the pages, and what lies between. */
const weights = { min: 400, max: 600 };

/** What nearly every page is made of; other letters come from a file of their own when one is shown. */
const english =
  'U+0020-007E,U+00A0,U+00B7,U+00D7,U+2010-2015,U+2018-201E,U+2022,U+2026,U+2030,U+2039-203A,U+2191,U+2193,U+2212';
/** Letters of the names of Central, Northern and Eastern Europe, apart from a large rest, which few ever need. */
const european =
  'U+0100-0107,U+010C-0113,U+0116-011B,U+011E-011F,U+0122-0123,U+012A-012B,U+012E-0131,U+0136-0137,U+0139-013E,U+0141-0148,U+014C-014D,U+0150-0155,U+0158-015B,U+015E-0165,U+016A-016B,U+016E-0173,U+0178-017E,U+0218-021B';
/** Files that come as two: these characters, and the others. */
const divided: Readonly<Record<string, string>> = { latin: english, 'latin-ext': european };

const hex = (code: number): string => code.toString(16).toUpperCase().padStart(4, '0');

/** Characters of a `unicode-range`. */
function charactersOf(range: string): Set<number> {
  const found = new Set<number>();
  for (const part of range.split(',')) {
    const [first = 0, last = first] = part
      .trim()
      .slice(2)
      .split('-')
      .map((each) => Number.parseInt(each, 16));
    for (let code = first; code <= last; code += 1) found.add(code);
  }
  return found;
}

/** The `unicode-range` of characters. */
function rangeOf(characters: ReadonlySet<number>): string {
  const runs: [number, number][] = [];
  for (const code of [...characters].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run && run[1] === code - 1) run[1] = code;
    else runs.push([code, code]);
  }
  return runs.map(([first, last]) => `U+${hex(first)}${last === first ? '' : `-${hex(last)}`}`).join(',');
}

/** A font file of these characters alone, with what the pages use of it. Made once. */
async function slimFile(file: string, characters: ReadonlySet<number>, isSans: boolean): Promise<string> {
  const options = {
    targetFormat: 'woff2',
    keepFeatures: isSans ? sansFeatures : monoFeatures,
    ...(isSans && { variationAxes: { wght: weights } }),
  } as const;
  const font = readFileSync(file);
  const range = rangeOf(characters);
  const hash = createHash('sha256').update(font).update(range).update(JSON.stringify(options)).digest('hex');
  const made = path.join(madeFolder, `${path.basename(file, '.woff2')}-${hash.slice(0, 16)}.woff2`);
  if (existsSync(made)) return made;
  const slim = await subsetFont(font, String.fromCodePoint(...characters), options);
  mkdirSync(madeFolder, { recursive: true });
  const begun = `${made}.${process.pid}`;
  writeFileSync(begun, slim);
  renameSync(begun, made);
  return made;
}

/** One file of a font, and the `@font-face` that names it. */
type SlimFace = { readonly made: string; readonly css: string };

/** One `@font-face` of a font package, as one or two that hold what the pages use; the common characters come first. */
async function slimFace(face: string, folder: string): Promise<readonly SlimFace[]> {
  const source = /url\((\.\/files\/[^)]+\.woff2)\)/.exec(face)?.[1];
  const range = /unicode-range:\s*([^;]+);/.exec(face)?.[1];
  if (source === undefined || range === undefined)
    throw new Error(`This face of a font names no file or no characters: ${face}`);
  const isSans = face.includes('woff2-variations');
  const all = charactersOf(range);
  const apart = divided[/(latin(?:-ext)?)-(?:wght|\d+)-/.exec(source)?.[1] ?? ''];
  const common = apart === undefined ? all : charactersOf(apart);
  const parts = [
    new Set([...all].filter((code) => common.has(code))),
    new Set([...all].filter((code) => !common.has(code))),
  ].filter(({ size }) => size > 0);
  const faces = parts.map(async (characters) => {
    const made = await slimFile(path.join(folder, source), characters, isSans);
    const css = face
      .replace(/src:[^;]+;/, `src: url(${path.relative(folder, made)}) format('woff2');`)
      .replace(/unicode-range:[^;]+;/, `unicode-range: ${rangeOf(characters)};`);
    return { made, css };
  });
  return await Promise.all(faces);
}

/**
 * Fonts as pages get them: the weights and features in use, and the letters of Europe's names in a small file. The
 * file that every page is drawn with is asked for by the page itself, so that its letters are there before the first
 * text is drawn: one that comes later changes the width of all texts, and moves what stands beside them.
 */
export function slimFonts(): Plugin {
  let everyPages = '';
  return {
    name: 'slim-fonts',
    enforce: 'pre',
    transform: {
      filter: { id: /@fontsource[^?]*\.css$/ },
      handler: async (code, id) => {
        const faces = code.match(/@font-face\s*\{[^}]*\}/g) ?? [];
        const slim = await Promise.all(faces.map((face) => slimFace(face, path.dirname(id))));
        const latin = slim.find(([first]) => first && /-latin-wght-normal-/.test(first.made));
        if (latin?.[0]) everyPages = path.basename(latin[0].made, '.woff2');
        return { code: slim.flatMap((parts) => parts.map(({ css }) => css)).join('\n'), map: null };
      },
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        const file = Object.keys(bundle ?? {}).find((name) =>
          path.basename(name).startsWith(`${everyPages}-`),
        );
        if (everyPages === '' || file === undefined)
          throw new Error('The font of every page is not among the files that were made.');
        const attrs = {
          rel: 'preload',
          as: 'font',
          type: 'font/woff2',
          crossorigin: true,
          href: `/svc/${file}`,
        };
        return [{ tag: 'link', attrs, injectTo: 'head' }];
      },
    },
  };
}
