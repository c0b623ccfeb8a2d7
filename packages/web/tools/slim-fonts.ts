import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const madeFolder = path.join(import.meta.dirname, '../node_modules/.slim-fonts');

/** Font features that position letters and marks. */
const placing = ['ccmp', 'kern', 'locl', 'mark', 'mkmk'];
/** Features of the text font: the defaults of browsers, and the features that the pages request. */
const sansFeatures = [...placing, 'calt', 'clig', 'liga', 'rlig', 'ss01', 'tnum'];
/** The font of code has no ligatures, so readers see each character. */
const monoFeatures = placing;
/** The two weights of the pages, and the weights between them. */
const weights = { min: 400, max: 600 };

/** Characters of nearly every page. The browser loads other letters from a separate file if a page shows one. */
const english =
  'U+0020-007E,U+00A0,U+00B7,U+00D7,U+2010-2015,U+2018-201E,U+2022,U+2026,U+2030,U+2039-203A,U+2191,U+2193,U+2212';
/** Letters of the names of Central, Northern and Eastern Europe, apart from a large rest, which few ever need. */
const european =
  'U+0100-0107,U+010C-0113,U+0116-011B,U+011E-011F,U+0122-0123,U+012A-012B,U+012E-0131,U+0136-0137,U+0139-013E,U+0141-0148,U+014C-014D,U+0150-0155,U+0158-015B,U+015E-0165,U+016A-016B,U+016E-0173,U+0178-017E,U+0218-021B';
/** Font files that are divided in two: these characters, and the others. */
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

/** Returns a font file with only these characters and the features that the pages use. Built once. */
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

/** Divides one `@font-face` of a font package into one or two for the characters in use, the common ones first. */
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
 * Reduces the fonts of the pages to the weights and features in use. The letters of European names are in a small
 * file. Each page preloads the common font file, so the browser has it before it draws the first text. A later font
 * would change the width of all texts and move their neighbours.
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
