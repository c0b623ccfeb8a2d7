import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fourfoldGrowth, linearGrowthMax } from '@svc/testkit/values/growth.ts';
import { describe, expect, test } from 'vitest';
import { BusinessRuleError } from '../../platform/http/index.ts';
import { nothingKept } from './kept.ts';
import { readDocument } from './reading/document.ts';
import { context, contractOf, rules } from './testing/sample.ts';
import { documentOf } from './writing/document.ts';
import { readYaml, writeYaml } from './yaml.ts';

const fixtures = path.join(import.meta.dirname, 'testing/fixtures');
const textOf = (name: string): string => readFileSync(path.join(fixtures, name), 'utf8');

describe('hostile documents', () => {
  const refusal = (text: string): string => {
    try {
      readDocument(readYaml(text), context);
      return 'read';
    } catch (error) {
      if (error instanceof BusinessRuleError) return error.message;
      throw error;
    }
  };
  const head = 'apiVersion: v3.1.0\nkind: DataContract\nid: a\nversion: 1.0.0\nstatus: active\n';

  test.each([
    ['aliases', 'a: &a [x]\nb: [*a, *a]', 'anchors'],
    ['an alias without an anchor', 'b: *a', 'aliases'],
    ['tags', 'a: !!js/function "x"', 'tags'],
    ['directives', '%YAML 1.1\n---\na: 1', 'directives'],
    ['a duplicate member', 'a: 1\na: 2', 'twice'],
    ['a prototype', '__proto__: {x: 1}', 'without a name'],
    ['a mapping as a key', '{a: 1}: 2', ''],
    ['infinity', 'a: .inf', 'number that is none'],
    ['a list', '- a', 'no mapping'],
    ['nothing', '', 'no mapping'],
    ['broken YAML', 'a: [1', 'no YAML'],
    ['two documents', 'a: 1\n---\nb: 2', 'no YAML'],
    ['100,000 open brackets', '['.repeat(100_000), 'deeply'],
    ['lists in one line', '- '.repeat(100_000), 'deeply'],
    [
      'lists by indentation',
      Array.from({ length: 1_000 }, (_, at) => `${' '.repeat(at)}-`).join('\n'),
      'deeply',
    ],
    ['too many parts', `a: [${'1,'.repeat(150_000)}]`, 'too many'],
    ['too many bytes', `a: ${'x'.repeat(1_100_000)}`, '1 MB'],
    ['another kind', head.replace('DataContract', 'Pod'), 'kind'],
    ['version 2', head.replace('v3.1.0', 'v2.2.2'), 'version 3.0.x'],
  ])('refuses a document with %s and states the reason', (_title, text, words) => {
    expect(refusal(text)).toContain(words);
    expect(refusal(text)).not.toBe('read');
  });

  test.each<readonly [string, (length: number) => string]>([
    ['open brackets', (length) => '['.repeat(length)],
    ['lists in one line', (length) => '- '.repeat(length / 2)],
    // The indentation of n lines has n * n / 2 characters.
    [
      'lists by indentation',
      (length) =>
        Array.from({ length: Math.floor(Math.sqrt(2 * length)) }, (_, at) => `${' '.repeat(at)}-`).join('\n'),
    ],
    ['parts', (length) => `a: [${'1,'.repeat(length / 2)}]`],
    ['members', (length) => Array.from({ length: length / 8 }, (_, at) => `a${at}: 1`).join('\n')],
    ['bytes', (length) => `a: ${'x'.repeat(length)}`],
  ])('is read or refused in time that grows with its length: %s', (_title, textOf) => {
    expect(fourfoldGrowth(textOf, refusal, 200_000)).toBeLessThan(linearGrowthMax);
  });

  const randomOf = (start: number) => {
    let seed = start;
    return (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
  };

  test('a document with random changes of its text is read or refused with a message', () => {
    const random = randomOf(42);
    const sources = [
      writeYaml(documentOf(contractOf(rules), nothingKept)),
      ...readdirSync(fixtures)
        .filter((name) => name.endsWith('.yaml'))
        .map(textOf),
    ];
    const bits = [
      '&a ',
      '*a',
      '!!x ',
      '\n',
      '  ',
      '- ',
      ': ',
      '[',
      '}',
      '"',
      "'",
      '|',
      '\u0000',
      '\ud800',
      'null',
      '1e999',
    ];
    const changed = (text: string): string => {
      const at = random(text.length);
      return random(2) === 0
        ? text.slice(0, at) + (bits[random(bits.length)] ?? '') + text.slice(at)
        : text.slice(0, at) + text.slice(at + random(30));
    };
    for (let round = 0; round < 800; round += 1) {
      let text = sources[random(sources.length)] ?? '';
      for (let change = 0; change <= random(4); change += 1) text = changed(text);
      expect(typeof refusal(text)).toBe('string');
    }
  });

  test('a document with random values is read or refused with a message', () => {
    const random = randomOf(43);
    const values = [null, 1, -1, true, '', 'x', [], {}, [[]], [{}], { a: 1 }, 1e300];
    const document = JSON.parse(JSON.stringify(documentOf(contractOf(rules), nothingKept)));
    /** Replaces the value at a random position. */
    const spoil = (node: Record<string, unknown>): void => {
      const names = Object.keys(node);
      const name = names[random(names.length)] ?? 'new';
      const inner = node[name];
      if (typeof inner === 'object' && inner !== null && random(5) > 0)
        spoil(inner as Record<string, unknown>);
      else node[name] = values[random(values.length)];
    };
    for (let round = 0; round < 800; round += 1) {
      const copy = structuredClone(document);
      spoil(copy);
      expect(typeof refusal(JSON.stringify(copy))).toBe('string');
    }
  });
});
