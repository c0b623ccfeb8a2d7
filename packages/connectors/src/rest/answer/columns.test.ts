import { describe, expect, it } from 'vitest';
import { restDocument } from '../../testing/rest-document.ts';
import { errorOf, rowsOf } from '../../testing/results.ts';
import { useRestApi } from '../testing/api.ts';

const { api, execute, read } = useRestApi();

const documented = { openApi: JSON.stringify(restDocument), endpoints: ['/orders', '/orders/{id}'] };

describe('values of a REST response', () => {
  it('retain all their digits, also in nested values', async () => {
    const body =
      '[{"id":9007199254740993,"big":1234567890123456789,"price":12345678901234567890.123456789,"tiny":1e-30,"wide":1.5E+20,"nested":{"n":9007199254740993,"x":[1.10]}}]';
    api().answer(() => ({ body }));
    const result = await execute({ path: '/orders' });
    expect(result.columns.map(({ name, kind }) => [name, kind])).toEqual([
      ['id', 'decimal'],
      ['big', 'decimal'],
      ['price', 'decimal'],
      ['tiny', 'decimal'],
      ['wide', 'decimal'],
      ['nested', 'json'],
    ]);
    expect(await rowsOf(result)).toEqual([
      [
        '9007199254740993',
        '1234567890123456789',
        '12345678901234567890.123456789',
        `0.${'0'.repeat(29)}1`,
        150_000_000_000_000_000_000,
        '{"n":9007199254740993,"x":[1.10]}',
      ],
    ]);
    expect(
      await read({ path: '/orders', columns: { a: '/nested/x/0' } }, { options: { decimalsAsText: true } }),
    ).toEqual([['1.10']]);
  });

  it('have the documented types: integers, dates, and times in UTC', async () => {
    const row = { id: 5, at: '2024-07-01T12:00:00.123456+02:00', day: '2024-02-29', total: null, lines: [1] };
    api().answer(() => ({ body: { data: [row, { id: 6 }] } }));
    const result = await execute({ path: '/orders', rows: '/data' }, { connection: documented });
    expect(result.columns.map(({ kind }) => kind)).toEqual([
      'integer',
      'timestamptz',
      'date',
      'decimal',
      'json',
    ]);
    expect(await rowsOf(result)).toEqual([
      [5, '2024-07-01T10:00:00.123456Z', '2024-02-29', null, '[1]'],
      [6, null, null, null, null],
    ]);
  });

  it('remain text if they are not times despite the API description', async () => {
    api().answer(() => ({ body: { data: [{ id: 1.5, at: 'yesterday', day: '2023-02-29' }] } }));
    const result = await execute({ path: '/orders', rows: '/data' }, { connection: documented });
    expect(result.columns.map(({ kind }) => kind)).toEqual(['decimal', 'text', 'text']);
    expect(await rowsOf(result)).toEqual([[1.5, 'yesterday', '2023-02-29']]);
  });

  it('have the names and types of the statement', async () => {
    api().answer(() => ({ body: [{ a: { 'b/c': [{ '~d': 7 }] }, t: '2024-01-01T00:00:00Z', n: 12 }] }));
    const columns = {
      seven: '/a/b~1c/0/~0d',
      at: { at: '/t', type: 'timestamp' },
      n: { at: '/n', type: 'integer' },
      asText: { at: '/n', type: 'text' },
      whole: { at: '/a', type: 'json' },
      gone: '/x/y',
    };
    const result = await execute({ path: '/orders', columns });
    expect(result.columns.map(({ kind }) => kind)).toEqual([
      'decimal',
      'timestamptz',
      'integer',
      'text',
      'json',
      'json',
    ]);
    expect(await rowsOf(result)).toEqual([[7, '2024-01-01T00:00:00Z', 12, '12', '{"b/c":[{"~d":7}]}', null]]);
  });

  it('that are not objects are rows with one column, an object is one row, and null is no row', async () => {
    api().answer(() => ({ body: { tags: ['x', 'y'], one: { a: 1 }, none: null } }));
    expect(await read({ path: '/orders', rows: '/tags' })).toEqual([['x'], ['y']]);
    expect(await read({ path: '/orders', rows: '/one' })).toEqual([[1]]);
    expect(await read({ path: '/orders', rows: '/none', columns: { a: '/a' } })).toEqual([]);
  });

  it('of mixed kinds in one column become JSON without loss', async () => {
    api().answer(() => ({ body: [{ v: 1 }, { v: 'one' }, { v: [true] }, {}] }));
    expect(await read({ path: '/orders' })).toEqual([['1'], ['"one"'], ['[true]'], [null]]);
  });

  it('are returned with the member of their origin', async () => {
    api().answer(() => ({ body: { emails: ['a@b.example'], list: [{ user: { email: 'x' } }] } }));
    const origins = async (step: object) => {
      const { columns, close } = await execute(step, { options: { wantOrigins: true } });
      await close();
      return columns.map(({ origin }) => origin?.column);
    };
    expect(await origins({ path: '/orders', rows: '/list', columns: { who: '/user/email' } })).toEqual([
      'user_email',
    ]);
    expect(await origins({ path: '/orders', rows: '/emails' })).toEqual(['emails']);
  });

  it('of another type or with additional members in later rows fail the run with a hint', async () => {
    const many = Array.from({ length: 1_200 }, (_, id) => ({ id }));
    api().answer(() => ({ body: [...many, { id: 'x' }] }));
    expect(await errorOf(read({ path: '/orders' }))).toMatchObject({
      code: 'statement-failed',
      message: expect.stringContaining('Row 1201 has a text in id'),
    });
    api().answer(() => ({ body: [...many, { id: 1, more: 1 }] }));
    expect((await errorOf(read({ path: '/orders' }))).message).toContain('Row 1201 has the member more');
    expect(await read({ path: '/orders', columns: { id: '/id' } })).toHaveLength(1_201);
  });

  it('may be absent: columns come from the description or the statement, otherwise the run fails', async () => {
    api().answer(() => ({ body: { data: [] } }));
    const result = await execute({ path: '/orders', rows: '/data' }, { connection: documented });
    expect(result.columns.map(({ name }) => name)).toEqual(['id', 'at', 'day', 'total', 'lines']);
    expect(await rowsOf(result)).toEqual([]);
    expect((await errorOf(read({ path: '/orders', rows: '/data' }))).message).toContain(
      'name them in columns',
    );
  });
});
