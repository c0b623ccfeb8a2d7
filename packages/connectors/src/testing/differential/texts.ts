/** Returns a generator of numbers from 0 to 1. The seed determines the sequence. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const functions = ['upper', 'lower', 'length', 'abs', 'trim', 'UPPER', 'Lower'];
const quotedFunctions = ['"upper"', '`lower`', '[abs]', '"LOWER"'];
const controls = ['\r', '\v', '\f', '\u0085', '\u2028', '\u00a0', '\0', '\u200b', '\ufeff'];

/** Pieces that readers of SQL may take for a comment, a text or a name, with differences between readers. */
const pieces = [
  '/* c */',
  "/* upper('x') */",
  '/* a /* b */ c */',
  '/* /* */',
  '/* a */ */',
  '-- c\n',
  "-- upper('x')\n",
  "--upper('x')\n",
  "--\r upper('x')\n",
  '-- a\r\n',
  '# c\n',
  "#upper('x')\n",
  '#! c\n',
  '// c\n',
  '--\\\n',
  "/*! upper('x') */",
  '/*+ c */',
  "/*' */",
  "-- '\n",
  '-- "\n',
  '/**/',
  '/*/ */',
  '--',
  '/*',
];

const texts = [
  "'a'",
  "'a''b'",
  "'a\\'",
  "'a\\'' b'",
  "'a\\\\'",
  "E'a\\'b'",
  "e'a' 'b'",
  "'-- x'",
  "'/* x'",
  "'*/'",
  "$$ upper('x') $$",
  "$q$ ' $q$",
  '$a$ $b$ $a$',
  '"a"',
  '"a""b"',
  '"a\\"',
  "'\n'",
  "'a'\n'b'",
  "'a' -- c\n'b'",
  "N'a'",
  "x'61'",
  "b'1'",
  "U&'a'",
  '1',
  '1.5',
  '1e3',
  'null',
  "''''",
  '""""',
  "'''a'''",
  '`a`',
];

const blanks = [' ', '  ', '\n', '\r\n', '\t', ''];

/** Returns a text that is often one SELECT, with comments, quotes and control characters in random positions. */
export function randomText(random: () => number): string {
  const one = <Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error('Nothing to choose from.');
    return item;
  };
  const gap = (): string => {
    let text = one(blanks);
    while (random() < 0.35) text += (random() < 0.06 ? one(controls) : one(pieces)) + one(blanks);
    return text;
  };
  const item = (): string => {
    if (random() < 0.5) return one(texts);
    const name = random() < 0.15 ? one(quotedFunctions) : one(functions);
    return `${name}${gap()}(${gap()}${one(texts)}${gap()})`;
  };
  let text = `${gap()}select ${gap()}${item()}`;
  while (random() < 0.6) text += `${gap()},${gap()}${item()}`;
  if (random() < 0.08) text += `${gap()};${gap()}${random() < 0.5 ? 'select 1' : ''}`;
  return text + gap();
}
