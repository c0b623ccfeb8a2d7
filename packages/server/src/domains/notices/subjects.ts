import type { NoticeSubjectKind, Permission } from '@svc/contract';
import type { Executor } from '../../platform/db/index.ts';

/** What a notice is about. */
export type SubjectKey = {
  readonly kind: NoticeSubjectKind;
  /** Null for the settings, of which there is one set. */
  readonly id: number | null;
};

/** What somebody answers for: it may have an owner, and may stand in a project. */
export type Subject = {
  readonly name: string;
  readonly ownerUserId: number | null;
  /** Null: it belongs to those who hold the permission of its kind. */
  readonly projectId: number | null;
};

/** The permission that a subject without a project belongs to; null: its owner needs none. */
export const permissionOf: Readonly<Record<NoticeSubjectKind, Permission | null>> = {
  Subscription: 'SecurityAdmin',
  Query: 'SecurityAdmin',
  Contract: 'SecurityAdmin',
  Task: 'SecurityAdmin',
  MigrationJob: 'MigrationOperator',
  AiActor: 'SecurityAdmin',
  EvaluationSchedule: 'SecurityAdmin',
  ApiKey: null,
  Settings: 'SecurityAdmin',
};

/** Reads a subject as it is now; undefined when there is none. */
export type FindSubject = (executor: Executor, id: number | null) => Promise<Subject | undefined>;

const findSubscription: FindSubject = async (executor, id) => {
  const { rows } = await executor.query<Subject>({
    name: 'notices-find-subscription',
    text: `select q.name, s.owner_user_id as "ownerUserId", q.project_id as "projectId"
      from svc.subscriptions s join svc.queries q on q.id = s.query_id where s.id = $1`,
    values: [id],
  });
  return rows[0];
};

const findQuery: FindSubject = async (executor, id) => {
  const { rows } = await executor.query<Subject>(
    `select name, created_by_user_id as "ownerUserId", project_id as "projectId" from svc.queries where id = $1`,
    [id],
  );
  return rows[0];
};

const findContract: FindSubject = async (executor, id) => {
  const { rows } = await executor.query<Subject>(
    `select name, owner_user_id as "ownerUserId", project_id as "projectId" from svc.data_contracts where id = $1`,
    [id],
  );
  return rows[0];
};

const findMigrationJob: FindSubject = async (executor, id) => {
  const { rows } = await executor.query<Subject>(
    `select name, owner_user_id as "ownerUserId", null::int as "projectId" from svc.migration_jobs where id = $1`,
    [id],
  );
  return rows[0];
};

const findTask: FindSubject = async (executor, id) => {
  const { rows } = await executor.query<Subject>({
    name: 'notices-find-task',
    text: `select coalesce(q.name, c.name, t.title) as name, coalesce(s.owner_user_id, c.owner_user_id) as "ownerUserId",
        t.project_id as "projectId"
      from svc.tasks t left join svc.subscriptions s on s.id = t.subscription_id left join svc.queries q on q.id = s.query_id
        left join svc.data_contracts c on c.id = t.contract_id
      where t.id = $1`,
    values: [id],
  });
  return rows[0];
};

const findAiActor: FindSubject = async (executor, id) => {
  const { rows } = await executor.query<Subject>(
    `select name, owner_user_id as "ownerUserId", project_id as "projectId" from svc.ai_actors where id = $1`,
    [id],
  );
  return rows[0];
};

const findEvalSchedule: FindSubject = async (executor, id) => {
  const { rows } = await executor.query<Subject>(
    `select p.name, s.owner_user_id as "ownerUserId", p.id as "projectId"
      from svc.eval_schedules s join svc.projects p on p.id = s.project_id where s.project_id = $1`,
    [id],
  );
  return rows[0];
};

const findApiKey: FindSubject = async (executor, id) => {
  const { rows } = await executor.query<Subject>(
    `select name, owner_user_id as "ownerUserId", null::int as "projectId" from svc.api_keys where id = $1`,
    [id],
  );
  return rows[0];
};

const settings: FindSubject = async () => ({ name: 'Settings', ownerUserId: null, projectId: null });

/** How subjects are read; a kind that is missing here has nobody who tells of it. */
export const subjects: Partial<Readonly<Record<NoticeSubjectKind, FindSubject>>> = {
  Subscription: findSubscription,
  Query: findQuery,
  Contract: findContract,
  MigrationJob: findMigrationJob,
  Task: findTask,
  AiActor: findAiActor,
  EvaluationSchedule: findEvalSchedule,
  ApiKey: findApiKey,
  Settings: settings,
};
