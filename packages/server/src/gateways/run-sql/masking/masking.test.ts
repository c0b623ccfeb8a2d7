import { type Column, duckdbDialect } from '@svc/connectors';
import { describe, expect, it } from 'vitest';
import { RunSqlRefusal } from '../refusal.ts';
import { createMasker } from './masker.ts';
import { parsePattern } from './pattern.ts';
import { isPersonalName, maskText } from './rules.ts';
import { holdsPersonalValue } from './values.ts';

const column = (name: string, kind: Column['kind'] = 'text', origin: Column['origin'] = null): Column => ({
  name,
  kind,
  databaseType: 'text',
  origin,
});

describe('column names', () => {
  it('indicate personal data in any spelling', () => {
    const personal =
      'email E_Mail customer_email emailAddress PhoneNumber mobile ssn user_ssn SocialSecurityNo tax_id passport_no credit_card cardNumber cvv password pwd api_secret accessToken birth_date date_of_birth dob street_address zip_code postal_code ip_address nationalId iban';
    expect(personal.split(' ').filter((name) => !isPersonalName(name))).toEqual([]);
    const plain =
      'id name process_name business_number created_at status amount adobe_version class_name count description zipper';
    expect(plain.split(' ').filter(isPersonalName)).toEqual([]);
  });
});

describe('the masked form', () => {
  it('retains the ends of longer texts, and whole characters', () => {
    expect(['ann@example.com', 'ab', 'a', '', 'abc', '🙂b🙂'].map(maskText)).toEqual([
      'a***m',
      '***',
      '***',
      '***',
      'a***c',
      '🙂***🙂',
    ]);
  });
});

describe('cell values', () => {
  it('are recognised as personal data by their form', () => {
    const personal = [
      'ann@example.com',
      'write to ann.b+c@mail.example.co.uk today',
      'ünï@exämple.de',
      '+49 170 1234567',
      '+1 (555) 123-4567',
      '(555) 123-4567',
      '555-123-4567',
      '123-45-6789',
      '4111 1111 1111 1111',
      '4111111111111111',
      'card 5500-0000-0000-0004!',
      '4111111111111111 12/26',
      '1 4111111111111111',
      '2026-11-29 4111 1111 1111 1111',
      '4111 1111 1111 1111 123',
      '4111\u00a01111\u20131111  1111',
      '378282246310005',
    ];
    expect(personal.filter((text) => !holdsPersonalValue(text))).toEqual([]);
    const plain = [
      '',
      'Ann',
      '@home',
      'a @ b',
      '2024-02-29',
      '2024-02-29T12:30:00Z',
      '12345',
      '1234567890',
      '1708344000000',
      '4111111111111112',
      'v1.2.3-456',
      'f0b1e0a8-0000-4000-8000-000000000001',
      '192.168.10.10',
    ];
    expect(plain.filter(holdsPersonalValue)).toEqual([]);
  });
});

describe('masking patterns', () => {
  const matches = (source: string, text: string) => parsePattern(source).occursIn(text);

  it('match like regular expressions', () => {
    const cases: [string, string, boolean][] = [
      ['^emp-\\d{4,6}$', 'EMP-12345', true],
      ['^emp-\\d{4,6}$', 'emp-123', false],
      ['^emp-\\d{4,6}$', 'xemp-1234', false],
      ['colou?r', 'the Color', true],
      ['(?:ab|cd)+e', 'xxabcdabe', true],
      ['(ab|cd)+e$', 'abf', false],
      ['[^a-z ]x', 'a1x', true],
      ['[a-c-]z', '-z', true],
      ['a.c', 'a\nc', false],
      ['\\bx', 'x', false],
      ['a{2}b', 'aab', true],
      ['a{2}b', 'ab', false],
      ['(a*)*b', 'aaaa', false],
      ['x|y|', '', true],
      ['\\.\\$', 'a.$', true],
      ['\\s\\w\\D', ' aé', true],
    ];
    for (const [source, text, expected] of cases) {
      if (source.startsWith('\\b')) expect(() => parsePattern(source)).toThrow(RunSqlRefusal);
      else expect([source, text, matches(source, text)]).toEqual([source, text, expected]);
    }
  });

  it('match a long text against patterns that cause other engines to backtrack exponentially', () => {
    const text = 'a'.repeat(50_000);
    for (const source of ['(a+)+b', '(a|a)*c', '(a*)*$x', 'a*a*a*a*a*b', '(?:a?){50}b']) {
      expect(matches(source, text), source).toBe(false);
    }
  });

  it('refuse unsupported syntax', () => {
    for (const source of [
      '',
      '(',
      'a)',
      '[a',
      '*a',
      '(?=a)',
      '(?<n>a)',
      '\\1',
      'a**',
      'a{1,1000}',
      '[z-a]',
      '(a{100}){100}',
      'x'.repeat(501),
    ]) {
      expect(() => parsePattern(source), source).toThrow(RunSqlRefusal);
    }
  });
});

describe('a masker', () => {
  const mask = (
    columns: Column[],
    cells: (string | number | boolean | null)[][],
    customPatterns: string[] = [],
  ) => {
    const masker = createMasker({
      rules: { isEnabled: true, customPatterns },
      sql: 'select * from t',
      dialect: duckdbDialect,
      columns,
    });
    const { columns: out } = masker.mask({ rowCount: cells[0]?.length ?? 0, columns: cells });
    return { out, masked: masker.maskedColumns() };
  };

  it('masks whole columns by name, and values by form in the others', () => {
    const columns = [
      column('email'),
      column('note'),
      column('n', 'integer'),
      column('phone_verified', 'boolean'),
    ];
    const { out, masked } = mask(columns, [
      ['ann@example.com', null],
      ['plain', 'mail bob@example.com'],
      [5, 4111111111111111],
      [true, false],
    ]);
    expect(out).toEqual([
      ['a***m', null],
      ['plain', 'm***m'],
      [5, '4***1'],
      [true, false],
    ]);
    expect(masked).toEqual([0, 1, 2]);
  });

  it('masks values inside JSON and leaves the rest unchanged', () => {
    const json =
      '{ "id":12345678901234567890,"email":"a@b.co","nested":[{"phone":123},"x","bob@example.com"],"ok":true,"n":1.10}';
    const { out } = mask([column('data', 'json')], [[json, '{"a":12345678901234567890}', 'broken {']]);
    expect(out[0]).toEqual([
      '{ "id":12345678901234567890,"email":"a***o","nested":[{"phone":"1***3"},"x","b***m"],"ok":true,"n":1.10}',
      '{"a":12345678901234567890}',
      '"b***{"',
    ]);
  });

  it.each<[string, string, string]>([
    ['a repeated member', '{"note":"bob@example.com","note":"x"}', '{"note":"b***m","note":"x"}'],
    ['a repeated personal member', '{"iban":"DE1","iban":null}', '{"iban":"D***1","iban":null}'],
    ['a key of a personal form', '{"bob@example.com":[1]}', '{"b***m":[1]}'],
    ['an escaped key', '{"ib\\u0061n":"DE1"}', '{"ib\\u0061n":"D***1"}'],
    ['escapes at the end of a text', '{"a":"\\\\","iban":"x\\""}', '{"a":"\\\\","iban":"***"}'],
    [
      'a document under a personal key',
      '{"address":{"street":"A ]","no":[1]},"z":1}',
      '{"address":"{***}","z":1}',
    ],
    ['a card number', '[4111111111111111, 4111111111111112]', '["4***1", 4111111111111112]'],
    ['a text that contains JSON', '{"raw":"{\\"iban\\": \\"DE1\\"}"}', '{"raw":"{\\"iban\\": \\"D***1\\"}"}'],
    ['a JSON text in a text', '"{\\"iban\\":\\"DE1\\"}"', '"{\\"iban\\":\\"D***1\\"}"'],
    [
      'a JSON text in a text in a member',
      '{"a":"\\"{\\\\\\"iban\\\\\\":\\\\\\"DE1\\\\\\"}\\""}',
      '{"a":"\\"{\\\\\\"iban\\\\\\":\\\\\\"D***1\\\\\\"}\\""}',
    ],
    ['a negative card number', '[-4111111111111111]', '["-***1"]'],
    [
      'blanks',
      ' {\n\t"iban" :\r\n "DE1" , "b": [ ] , "c": { } }\n',
      ' {\n\t"iban" :\r\n "D***1" , "b": [ ] , "c": { } }\n',
    ],
  ])('masks %s inside JSON, in columns of JSON and of text', (_name, json, masked) => {
    expect(mask([column('data', 'json'), column('note')], [[json], [json]]).out).toEqual([
      [masked],
      [masked],
    ]);
  });

  it.each([
    ['an array of documents', String.raw`{"{\"iban\": \"DE1\"}"}`],
    ['lines of JSON', '{"a":1}\n{"iban":"DE1"}'],
    ['a dictionary of Python', "{'iban': 'DE1'}"],
    ['a struct of DuckDB', "[{'a': 1, 'user_iban': DE1}]"],
    ['an incomplete document', '{"a":[{"iban":"DE1"'],
    ['pairs with arrows', '{"iban"=>"DE1"}'],
    ['a document after a byte order mark', '\ufeff{"iban":"DE1"}'],
  ])('masks %s with a personal member as a whole', (_name, text) => {
    const { out } = mask([column('note')], [[text, text.replaceAll('iban', 'code')]]);
    expect(out[0]).toEqual([maskText(text), text.replaceAll('iban', 'code')]);
  });

  it('masks JSON that is nested deeply, and text that only looks like JSON', () => {
    const deep = `${'['.repeat(60)}"x"${']'.repeat(60)}`;
    const { out } = mask(
      [column('data', 'json'), column('note')],
      [
        [deep, 'x'],
        ['{iban}', '[ bob@example.com'],
      ],
    );
    expect(out[0]?.[0]).toBe(`${'['.repeat(51)}"[***]"${']'.repeat(51)}`);
    expect(out[1]).toEqual(['{iban}', '[***m']);
  });

  it('masks card numbers in columns of any number type, also with a sign', () => {
    const { out } = mask(
      [column('n', 'integer'), column('f', 'float')],
      [[-4111111111111111], [4111111111111111]],
    );
    expect(out).toEqual([['-***1'], ['4***1']]);
    expect(mask([column('f', 'float')], [[1.5, -2, 4111111111111112]]).out).toEqual([
      [1.5, -2, 4111111111111112],
    ]);
  });

  it('applies an operator’s patterns to names and values, and masks everything if one is invalid', () => {
    const columns = [column('badge'), column('note'), column('n', 'integer')];
    const cells = [['x1'], ['EMP-1234'], [7]];
    expect(mask(columns, cells, ['^badge$', 'emp-\\d+']).out).toEqual([['***'], ['E***4'], [7]]);
    expect(mask(columns, cells, ['(']).out).toEqual([['***'], ['E***4'], ['***']]);
  });
});
