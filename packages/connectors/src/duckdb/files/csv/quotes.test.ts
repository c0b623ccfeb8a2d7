import { describe, expect, it } from 'vitest';
import type { FileSettings } from '../file-settings.ts';
import { useCsvReader } from './testing/read-csv.ts';

const { read } = useCsvReader();

describe('a CSV file with quotes', () => {
  it.each([
    ['"say \\"hi\\"",1\n"C:\\new",2\n', 2, '\\'],
    ['a,b\n"it\'s",1\n"say \'"hi\'"",2\n', 2, "'"],
  ])('of %j is refused, because the escape in line %i would be dropped', async (content, line, mark) => {
    expect(await read(content, {})).toContain(
      `Line ${line} of the file has ${mark} before another character than a quote or ${mark}`,
    );
  });

  it.each<[string, FileSettings, number]>([
    ['a,b\n"1" ,"x"\n2,y\n', {}, 2],
    ['a,b\n1,"x" \n2,"y"\n', {}, 2],
    ['a,b\r\n1,"x\r\ny"\r\n2,"y"  \r\n', {}, 4],
    ['# c\na;b\n"1";x\n"say ""x"" ";y\n"p q" ;z\n', {}, 5],
    ['a,b\n# c\n1,"x"\n2,"y" ', { comment: '#' }, 4],
    ['"a" ,b\n1,x\n2,y\n', {}, 1],
  ])('of %j with the settings %j is refused because of the blank after a quote', async (...test) => {
    const [content, settings, line] = test;
    expect(await read(content, settings)).toBe(
      `Line ${line} of the file has a blank after a closing quote, which would be lost. Remove the blank, or put it inside the quotes.`,
    );
  });

  it.each<[string, FileSettings]>([
    ['a,b\n"1"\t,x\n2,y\n', {}],
    ['a,b\n1,x\n2,"y"\t', {}],
    ['a;b\n"1"\t;x\n"p q";z\n', { shortLines: 'Null' }],
    ['a,b\n"1"\t ,x\n2,y\n', {}],
    ['"1"\t,x\n2,y\n', { hasHeader: false }],
    ['a,b\n"1"\t,x\n2,y\n', { quote: '"', delimiter: ',' }],
  ])('of %j with the settings %j is refused because of the tab after a quote', async (...test) => {
    expect(await read(...test)).toMatch(
      /^(Line \d of the file has a quote that is not closed|The lines of the file have different)/,
    );
  });

  it.each<[string, FileSettings]>([
    ['"a"\t,b\n1,x\n2,y\n', {}],
    ['a,"b"\t\n1,x\n2,y\n', {}],
    ['"a"x,b\n1,x\n2,y\n', {}],
    ['"a"\t,b\n1,x\n2,y\n', { hasHeader: true }],
    ['T\n\n"a"\t,b\n1,x\n2,y\n', {}],
    ['# c\n"a"\t,b\n1,x\n2,y\n', { comment: '#' }],
    ['"a"-"b",c\n1,x\n2,y\n', {}],
    ['"T"-1\n\na,b\n1,x\n2,y\n', {}],
    ['"T"\t\n\na,b\n1,"x"\n2,y\n', {}],
  ])(
    'of %j with the settings %j is refused by its first lines, because the engine would drop all rows',
    async (...test) => {
      expect(await read(...test)).toMatch(/quote that is not closed/);
    },
  );

  it('retains a tab before a quote or in quotes', async () => {
    expect(await read('a,b\n\t"1",x\n"2\t",y\n', {})).toEqual([
      ['\t"1"', 'x'],
      ['2\t', 'y'],
    ]);
    expect(await read('a\tb\n"1"\tx\n"2"\ty\n', {})).toEqual([
      ['1', 'x'],
      ['2', 'y'],
    ]);
  });
});
