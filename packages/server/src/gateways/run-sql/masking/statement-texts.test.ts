import { type Column, createConnectors, type SqlDialect } from '@svc/connectors';
import { describe, expect, it } from 'vitest';
import { createMasker } from './masker.ts';

const connectors = createConnectors();
const { dialect: mysqlDialect } = connectors.get('MySQL');
const { dialect: postgresqlDialect } = connectors.get('PostgreSQL');

const maskedOf = (sql: string, dialect: SqlDialect, names: readonly string[]): string[] => {
  const columns = names.map((name): Column => ({ name, kind: 'text', databaseType: 'text', origin: null }));
  const masker = createMasker({ rules: { isEnabled: true }, sql, dialect, columns });
  return names.filter((_name, index) => masker.isWholeColumn(index));
};

describe('statement texts of other sessions', () => {
  it.each<[SqlDialect, string, string[], string[]]>([
    [
      mysqlDialect,
      'select id, user, info from information_schema.processlist',
      ['id', 'user', 'info'],
      ['info'],
    ],
    [mysqlDialect, 'select * from `information_schema`.`PROCESSLIST`', ['ID', 'STATE', 'INFO'], ['INFO']],
    [mysqlDialect, 'select upper(info) as x from information_schema.processlist', ['x'], ['x']],
    [
      mysqlDialect,
      'select * from performance_schema.threads',
      ['NAME', 'PROCESSLIST_INFO'],
      ['PROCESSLIST_INFO'],
    ],
    [
      mysqlDialect,
      'select schema_name, digest_text from performance_schema.events_statements_summary_by_digest',
      ['schema_name', 'digest_text'],
      ['digest_text'],
    ],
    [
      mysqlDialect,
      'select trx_id, trx_query from information_schema.innodb_trx',
      ['trx_id', 'trx_query'],
      ['trx_query'],
    ],
    [postgresqlDialect, 'select pid, query from pg_catalog.pg_stat_activity', ['pid', 'query'], ['query']],
    [postgresqlDialect, 'select calls, query from pg_stat_statements', ['calls', 'query'], ['query']],
  ])('are masked (%#)', (dialect, sql, names, masked) => {
    expect(maskedOf(sql, dialect, names)).toEqual(masked);
  });

  it.each<[SqlDialect, string, string[]]>([
    [
      mysqlDialect,
      'select user, count(*) as n from information_schema.processlist group by user',
      ['user', 'n'],
    ],
    [mysqlDialect, 'select info from news', ['info']],
    [postgresqlDialect, 'select state, count(*) as n from pg_stat_activity group by state', ['state', 'n']],
    [postgresqlDialect, 'select query from saved_searches', ['query']],
  ])('leave counts of sessions and columns of other tables unmasked (%#)', (dialect, sql, names) => {
    expect(maskedOf(sql, dialect, names)).toEqual([]);
  });
});
