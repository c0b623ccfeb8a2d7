// Written by `npm run db:schema` from the migrations. Do not edit.
import type { ColumnType, Generated } from 'kysely';

export type Tables = {
  api_key_uses: {
    api_key_id: number;
    day: Date;
    operation: string;
    use_count: number;
    last_used_at: Date;
  };
  api_keys: {
    id: Generated<number>;
    name: string;
    key_hash: Buffer;
    prefix: string;
    owner_user_id: number | null;
    scopes: string[];
    allowed_project_ids: number[] | null;
    owner_generation: Generated<number>;
    created_time: Generated<Date>;
    expires_at: Date | null;
    last_used_at: Date | null;
    revoked_at: Date | null;
    revoked_by_user_id: number | null;
    replaced_by_key_id: number | null;
    expiry_noticed_days: number | null;
  };
  audit_events: {
    id: Generated<number>;
    event: string;
    occurred_at: Generated<Date>;
    actor_kind: string;
    actor_user_id: number | null;
    api_key_id: number | null;
    client_address: string | null;
    subject_kind: string | null;
    subject_id: number | null;
    project_id: number | null;
    trace_id: string | null;
    detail: ColumnType<unknown, string | null | undefined, string | null>;
  };
  data_source_metadata: {
    data_source_id: number;
    snapshot: ColumnType<unknown, string, string | null>;
    refreshed_at: Date;
  };
  data_sources: {
    id: Generated<number>;
    name: string;
    description: string | null;
    engine: string;
    connection_shown: ColumnType<unknown, string, string | null>;
    connection_sealed: string;
    metadata_options: ColumnType<unknown, string | null | undefined, string | null>;
    metadata_refresh_asked_at: Date | null;
    is_demo: Generated<boolean>;
    created_by_user_id: number | null;
    created_time: Generated<Date>;
    updated_at: Generated<Date>;
    version: Generated<number>;
    archived_at: Date | null;
  };
  deliveries: {
    id: Generated<number>;
    run_id: number;
    recipient_id: number;
    attempt: Generated<number>;
    state: string;
    reason: string | null;
    http_class: string | null;
    bytes_sent: number | null;
    message_id: string;
    started_at: Generated<Date>;
    finished_at: Date | null;
    duration_ms: number | null;
  };
  encryption_key_checks: {
    key_id: string;
    check_value: string;
    created_time: Generated<Date>;
  };
  migrations: {
    name: string;
    checksum: string;
    applied_at: Generated<Date>;
  };
  project_data_sources: {
    project_id: number;
    data_source_id: number;
    linked_by_user_id: number | null;
    linked_at: Generated<Date>;
  };
  project_members: {
    project_id: number;
    user_id: number;
    role: string;
    added_by_user_id: number | null;
    added_at: Generated<Date>;
    version: Generated<number>;
  };
  projects: {
    id: Generated<number>;
    name: string;
    description: string | null;
    access_mode: Generated<string>;
    is_demo: Generated<boolean>;
    created_by_user_id: number | null;
    created_time: Generated<Date>;
    updated_at: Generated<Date>;
    version: Generated<number>;
    archived_at: Date | null;
  };
  queries: {
    id: Generated<number>;
    project_id: number;
    name: string;
    description: string | null;
    final_query: string | null;
    parameters: ColumnType<unknown, string | null | undefined, string | null>;
    is_locked: Generated<boolean>;
    locked_at: Date | null;
    locked_by_user_id: number | null;
    is_demo: Generated<boolean>;
    created_by_user_id: number | null;
    created_time: Generated<Date>;
    updated_at: Generated<Date>;
    updated_by_user_id: number | null;
    version: Generated<number>;
    archived_at: Date | null;
  };
  query_steps: {
    id: Generated<number>;
    query_id: number;
    step_order: number;
    name: string | null;
    description: string | null;
    data_source_id: number;
    sql: string;
  };
  rate_limits: {
    key: string;
    points: Generated<number>;
    expire: number | null;
  };
  recipients: {
    id: Generated<number>;
    name: string;
    description: string | null;
    notification_type: string;
    destination_sealed: string;
    headers_sealed: string | null;
    header_names: Generated<string[]>;
    body_template: string | null;
    state: Generated<string>;
    approved_hash: string | null;
    is_demo: Generated<boolean>;
    created_by_user_id: number | null;
    created_time: Generated<Date>;
    updated_at: Generated<Date>;
    version: Generated<number>;
    archived_at: Date | null;
  };
  runs: {
    id: Generated<number>;
    subscription_id: number;
    query_id: number;
    origin: string;
    due_at: Date;
    started_by_user_id: number | null;
    status: Generated<string>;
    reason: string | null;
    reason_detail: ColumnType<unknown, string | null | undefined, string | null>;
    created_time: Generated<Date>;
    started_at: Date | null;
    finished_at: Date | null;
    execution_time_ms: number | null;
    result_count: number | null;
    previous_result_count: number | null;
    data_source_ids: number[] | null;
    stored_results: ColumnType<unknown, string | null | undefined, string | null>;
    message_sealed: string | null;
    job_id: string | null;
    trace_id: string | null;
  };
  runtime_settings: {
    key: string;
    value: ColumnType<unknown, string | null | undefined, string | null>;
    version: Generated<number>;
    changed_at: Generated<Date>;
    changed_by_user_id: number | null;
  };
  sessions: {
    id: Generated<number>;
    token_hash: Buffer;
    user_id: number;
    security_stamp: string;
    auth_method: string;
    identity_provider_issuer: string | null;
    identity_provider_session: string | null;
    is_persistent: Generated<boolean>;
    signed_in_at: Generated<Date>;
    expires_at: Date;
    checked_at: Generated<Date>;
    last_seen_at: Generated<Date>;
    user_agent: string | null;
    client_address: string | null;
    ended_at: Date | null;
    end_reason: string | null;
  };
  setup_completion: {
    only_row: Generated<boolean>;
    super_admin_user_id: number;
    completed_at: Generated<Date>;
  };
  sign_in_transactions: {
    token_hash: Buffer;
    state: string;
    nonce: string;
    code_verifier: string;
    return_to: string;
    expires_at: Date;
  };
  subscription_recipients: {
    subscription_id: number;
    recipient_id: number;
    attached_by_user_id: number | null;
    attached_at: Generated<Date>;
  };
  subscriptions: {
    id: Generated<number>;
    query_id: number;
    owner_user_id: number | null;
    cron_expression: string;
    time_zone: Generated<string>;
    notification_trigger: Generated<string>;
    minimum_row_count: number | null;
    max_rows: number | null;
    timeout_seconds: number | null;
    show_query: Generated<boolean>;
    store_results: Generated<boolean>;
    include_attachment: Generated<boolean>;
    attachment_format: string | null;
    parameters: ColumnType<unknown, string | null | undefined, string | null>;
    is_demo: Generated<boolean>;
    created_by_user_id: number | null;
    created_time: Generated<Date>;
    updated_at: Generated<Date>;
    version: Generated<number>;
    archived_at: Date | null;
  };
  user_roles: {
    user_id: number;
    role: string;
    source: Generated<string>;
    granted_by_user_id: number | null;
    granted_at: Generated<Date>;
  };
  users: {
    id: Generated<number>;
    user_name: string;
    display_name: string | null;
    email: string | null;
    kind: string;
    issuer: string | null;
    subject: string | null;
    password_hash: string | null;
    must_change_password: Generated<boolean>;
    security_stamp: Generated<string>;
    is_super_admin: Generated<boolean>;
    is_enabled: Generated<boolean>;
    api_key_generation: Generated<number>;
    last_signed_in_at: Date | null;
    created_time: Generated<Date>;
    archived_at: Date | null;
  };
};
