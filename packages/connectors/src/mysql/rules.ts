import { mysqlDialect } from '../sql/dialects.ts';
import { type ReadOnlyRules, refuseStatement } from '../sql/read-only-gate.ts';
import { type StatementText, wordAt } from '../sql/statement-text.ts';

/**
 * Functions with effects outside the transaction (locks, files, sequences, user-defined shells), or that only consume
 * time.
 */
const refusedFunctions = [
  'get_lock',
  'release_lock',
  'release_all_locks',
  'load_file',
  'sleep',
  'benchmark',
  'master_pos_wait',
  'master_gtid_wait',
  'source_pos_wait',
  'wait_for_executed_gtid_set',
  'wait_until_sql_thread_after_gtids',
  'asynchronous_connection_failover_*',
  'group_replication_*',
  'service_get_*',
  'service_release_locks',
  'version_tokens_*',
  'keyring_key_*',
  'audit_log_*',
  'audit_api_message_emit_udf',
  'mysql_firewall_*',
  'set_firewall_*',
  'read_firewall_*',
  'nextval',
  'setval',
  'sys_exec',
  'sys_eval',
  'sys_get',
  'sys_set',
  'lib_mysqludf_sys_info',
];

const into = 'SELECT … INTO is not available here: it writes a file or a variable.';

/** SHOW statements that reveal password hashes, or other sessions' statements with their literals. `*` matches any word. */
const refusedShows = [
  ['grants'],
  ['create', 'user'],
  ['create', 'server'],
  ['processlist'],
  ['full', 'processlist'],
  ['engine', '*', 'status'],
  ['explain'],
  ['analyze'],
  ['binlog'],
  ['relaylog'],
  ['slave', 'hosts'],
];
const explains = new Set(['explain', 'describe', 'desc']);

/** Throws for statements that reveal accounts, or statements of other sessions. */
function assertShow(sql: string, tokens: StatementText['tokens']): void {
  const text = { sql, tokens };
  const words = tokens.map((_token, index) => wordAt(text, index));
  const refuse = (name: string): never =>
    refuseStatement(
      'not-a-read',
      `${name} is not available here: it shows accounts or statements of others.`,
      sql,
      tokens[0]?.start ?? 0,
    );
  if (words[0] === 'show') {
    const match = refusedShows.find((show) =>
      show.every((word, at) => word === '*' || words[at + 1] === word),
    );
    if (match)
      refuse(
        `SHOW ${match
          .map((word, at) => (word === '*' ? words[at + 1] : word))
          .join(' ')
          .toUpperCase()}`,
      );
  }
  const isOfConnection = words.some((word, at) => word === 'for' && words[at + 1] === 'connection');
  if (explains.has(words[0] ?? '') && isOfConnection) refuse('EXPLAIN FOR CONNECTION');
}

/** Statements that MySQL and MariaDB accept. */
export const mysqlRules: ReadOnlyRules = {
  dialect: mysqlDialect,
  firstWords: new Set(['select', 'with', 'values', 'table', 'show', 'explain', 'describe', 'desc']),
  refusedFunctions,
  refusedWords: new Map([
    ['into', into],
    ['outfile', into],
    ['dumpfile', into],
  ]),
  assertForms: assertShow,
};
