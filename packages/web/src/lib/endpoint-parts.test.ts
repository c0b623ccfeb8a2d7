import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as contract from '@svc/contract';
import { describe, expect, it } from 'vitest';

const source = path.resolve(import.meta.dirname, '..');
const unread = ['summary', 'params', 'query', 'body', 'responses', 'refusals'];
const endpoints = new Set(
  Object.entries<unknown>(contract)
    .filter(([, value]) => typeof value === 'object' && value !== null && 'operationId' in value)
    .map(([name]) => name),
);

/** Returns the members of endpoints that a text reads, such as `createProject.body`. */
const readsIn = (text: string): string[] =>
  [...text.matchAll(/(?<![\w.])(\w+)\.(\w+)\b/g)]
    .filter(([, name = '', part = '']) => endpoints.has(name) && unread.includes(part))
    .map(([read]) => read);

describe('members of endpoints in page code', () => {
  it('never include its schemas or texts; forms import schemas by name', () => {
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
      (file) => /\.tsx?$/.test(file) && !/\.test\.ts$/.test(file),
    );
    expect(files.length).toBeGreaterThan(100);
    const reads = files.flatMap((file) =>
      readsIn(readFileSync(path.join(source, file), 'utf8')).map((read) => `${file}: ${read}`),
    );
    expect(reads).toEqual([]);
  });

  it('are recognised by this test, and other names are ignored', () => {
    expect(readsIn('schema: createProject.body, values.body, createProject.path')).toEqual([
      'createProject.body',
    ]);
  });
});
