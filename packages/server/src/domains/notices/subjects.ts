import type { NoticeSubjectKind, Permission } from '@svc/contract';
import type { Executor } from '../../platform/db/index.ts';

/** Identifies the subject of a notice. */
export type SubjectKey = {
  readonly kind: NoticeSubjectKind;
  /** Null for the settings, which exist once. */
  readonly id: number | null;
};

/** Object of a notice. It may have an owner and may belong to a project. */
export type Subject = {
  readonly name: string;
  readonly ownerUserId: number | null;
  /** Null: the users with the permission of its kind are responsible. */
  readonly projectId: number | null;
};

/** Permission of subjects without a project, by kind. Null: the owner needs no permission. */
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

/** Returns the current state of a subject; undefined when it does not exist. */
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

/** Finders by kind of subject. Notices about a kind that is missing here are not created. */
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
