import { type Column, duckdbDialect } from '@svc/connectors';
import { describe, expect, it } from 'vitest';
import { createMasker } from './masker.ts';
import { reasonText } from './reasons.ts';

const text = (name: string, change: Partial<Column> = {}): Column => ({
  name,
  kind: 'text',
  databaseType: 'VARCHAR',
  ...change,
});

function reasonOf(
  column: Column,
  { cell = 'value', customPatterns = [] as string[], sql = 'select 1' } = {},
) {
  const masker = createMasker({
    rules: { isEnabled: true, customPatterns },
    sql,
    dialect: duckdbDialect,
    columns: [column],
  });
  masker.mask({ rowCount: 1, columns: [[cell]] });
  const reason = masker.reasonOf(0);
  return reason && reasonText(reason);
}

describe('the reason for masking a column', () => {
  it('names the column whose values flow into the masked one', () => {
    const sources = { names: [{ relation: 'people', column: 'iban' }], unknown: null };
    expect(reasonOf(text('x', { sources }))).toContain(
      'Values of people.iban flow into this column. Leave people.iban out',
    );
  });

  it('names the origin that the engine reports', () => {
    expect(reasonOf(text('x', { origin: { column: 'iban' } }))).toContain('Values of iban flow');
  });

  it('states that the name of the column indicates personal data', () => {
    expect(reasonOf(text('iban'))).toContain('The name of this column');
  });

  it('states why the flow of values is unknown', () => {
    const sources = { names: [], unknown: 'the columns of the function query_table' };
    const reason = reasonOf(text('x', { sources }), {
      sql: "select upper(iban) as x from query_table('people')",
    });
    expect(reason).toContain('the columns of the function query_table');
    expect(reason).toContain('Select columns of tables directly');
  });

  it('states that single values have the form of personal data', () => {
    expect(reasonOf(text('note'), { cell: 'ann@example.org' })).toContain('Only these values are masked');
  });

  it('states that a pattern of the operator is invalid', () => {
    expect(reasonOf(text('note'), { customPatterns: ['('] })).toContain('An administrator must correct');
  });

  it('is absent for a column that is not masked', () => {
    expect(reasonOf(text('note'))).toBeNull();
  });
});
