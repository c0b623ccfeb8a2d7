/**
 * Volatile functions of PostgreSQL that may be called, by name or by prefix (`*`), with the reason. Every other
 * volatile function must be refused: it was never reviewed.
 */
export const harmlessVolatileFunctions: readonly string[] = [
  // Time, random numbers and identifiers have no effect outside the result. Each transaction sets a new seed.
  ...names(
    'array_sample array_shuffle clock_timestamp gen_random_uuid random random_normal setseed timeofday',
  ),
  ...names('uuidv4 uuidv7'),
  // Functions that only wait. The time limit bounds them.
  ...names('pg_sleep pg_sleep_for pg_sleep_until'),
  // Functions that read state of the session.
  ...names(
    'current_query currval lastval pg_jit_available pg_get_backend_memory_contexts pg_get_loaded_modules',
  ),
  // Sizes, versions and states of stored objects.
  ...names('currtid2 amvalidate pg_collation_actual_version pg_database_collation_actual_version'),
  ...names('pg_database_size pg_indexes_size pg_relation_size pg_table_size pg_tablespace_size'),
  ...names('pg_total_relation_size pg_partition_ancestors pg_partition_tree pg_get_sequence_data'),
  ...names('pg_sequence_last_value'),
  // Sessions, locks, transactions and statistics, as the monitoring views show them.
  ...names(
    'pg_blocking_pids pg_isolation_test_session_is_blocked pg_safe_snapshot_blocking_pids pg_lock_status',
  ),
  ...names('pg_prepared_xact pg_notification_queue_usage pg_get_multixact_members pg_last_committed_xact'),
  ...names(
    'pg_xact_* txid_status pg_stat_get_* pg_stat_have_stats pg_get_aios pg_get_shmem_* pg_get_wait_events',
  ),
  // Functions that read the write-ahead log, recovery and replication without changing them.
  ...names('pg_available_wal_summaries pg_wal_summary_contents pg_get_wal_* pg_control_* pg_current_wal_*'),
  ...names('pg_is_in_recovery pg_is_wal_replay_paused pg_last_wal_* pg_last_xact_replay_timestamp'),
  ...names('pg_show_replication_origin_status'),
  // Functions that read the server's configuration. No ordinary role may call them, and views also call them.
  ...names('pg_hba_file_rules pg_ident_file_mappings pg_show_all_file_settings'),
];

function names(line: string): string[] {
  return line.split(' ');
}
