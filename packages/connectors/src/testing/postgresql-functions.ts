/**
 * Volatile functions of PostgreSQL that may be called, by name or by the beginning of one (`*`), with the reason. A
 * volatile function that is neither here nor refused was never looked at.
 */
export const harmlessVolatileFunctions: readonly string[] = [
  // The time, chance and identifiers: nothing outside the result. A seed is set anew in each transaction.
  ...names(
    'array_sample array_shuffle clock_timestamp gen_random_uuid random random_normal setseed timeofday',
  ),
  ...names('uuidv4 uuidv7'),
  // They wait, which the time limit bounds.
  ...names('pg_sleep pg_sleep_for pg_sleep_until'),
  // The session looks at itself.
  ...names(
    'current_query currval lastval pg_jit_available pg_get_backend_memory_contexts pg_get_loaded_modules',
  ),
  // Sizes, versions and states of what is stored.
  ...names('currtid2 amvalidate pg_collation_actual_version pg_database_collation_actual_version'),
  ...names('pg_database_size pg_indexes_size pg_relation_size pg_table_size pg_tablespace_size'),
  ...names('pg_total_relation_size pg_partition_ancestors pg_partition_tree pg_get_sequence_data'),
  ...names('pg_sequence_last_value'),
  // Sessions, locks, transactions, statistics, as the monitoring views show them.
  ...names(
    'pg_blocking_pids pg_isolation_test_session_is_blocked pg_safe_snapshot_blocking_pids pg_lock_status',
  ),
  ...names('pg_prepared_xact pg_notification_queue_usage pg_get_multixact_members pg_last_committed_xact'),
  ...names(
    'pg_xact_* txid_status pg_stat_get_* pg_stat_have_stats pg_get_aios pg_get_shmem_* pg_get_wait_events',
  ),
  // The write-ahead log, recovery and replication are looked at, not moved.
  ...names('pg_available_wal_summaries pg_wal_summary_contents pg_get_wal_* pg_control_* pg_current_wal_*'),
  ...names('pg_is_in_recovery pg_is_wal_replay_paused pg_last_wal_* pg_last_xact_replay_timestamp'),
  ...names('pg_show_replication_origin_status'),
  // Read the server's own configuration; PostgreSQL grants them to no ordinary role, and views call them as well.
  ...names('pg_hba_file_rules pg_ident_file_mappings pg_show_all_file_settings'),
];

function names(line: string): string[] {
  return line.split(' ');
}
