import { mysqlDialect } from '../sql/dialects.ts';
import type { ReadOnlyRules } from '../sql/read-only-gate.ts';

/** Functions that act outside the transaction (locks, files, sequences, user-defined shells) or only burn time. */
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

/** What MySQL and MariaDB may be asked. */
export const mysqlRules: ReadOnlyRules = {
  dialect: mysqlDialect,
  firstWords: new Set(['select', 'with', 'values', 'table', 'show', 'explain', 'describe', 'desc']),
  refusedFunctions,
  refusedWords: new Map([
    ['into', into],
    ['outfile', into],
    ['dumpfile', into],
  ]),
};
