import { readSqlTokens, type SqlDialect, tokenText } from '@svc/connectors';
import type { NotificationTrigger } from '@svc/contract';
import { plural } from '@svc/contract';
import { HttpProblem } from '../../../platform/http/index.ts';
import type { Ran } from '../../ask/index.ts';
import type { Schedules } from '../../subscriptions/index.ts';
import type { ActorRow } from '../store.ts';
import type { ActionDefinition, ProvedAction, Sample } from './actions.ts';
import type { Known, OwnQuery } from './own.ts';
import type { ModelAction } from './prompt.ts';
import { rulesOf } from './rules.ts';
import type { Discarded } from './store.ts';

type Call = { readonly signal: AbortSignal; readonly callerId: string };
type Place = { readonly dataSourceId: number; readonly sql: string };

export type ProveDeps = {
  /** Checks a statement with the gates for AI clients. */
  readonly check: (
    place: Place,
    call: Call,
  ) => Promise<{ readonly verdict: 'Passed' | 'Failed' | 'Unchecked'; readonly message: string }>;
  /** Runs a statement through the run-SQL gateway, masked. */
  readonly run: (
    place: Place & { readonly projectId: number; readonly rowsMax: number },
    call: Call,
  ) => Promise<Ran>;
  readonly schedules: Pick<Schedules, 'explain'>;
  /** Checks the rules of a contract against the metadata of its table. Throws if they do not fit. */
  readonly assertRulesFit: (
    place: {
      readonly projectId: number;
      readonly dataSourceId: number;
      readonly schemaName: string;
      readonly tableName: string;
    },
    rules: ReturnType<typeof rulesOf>,
  ) => Promise<void>;
};

/** State that actions are checked against. */
export type Ground = {
  readonly actor: ActorRow;
  readonly dialect: SqlDialect;
  readonly own: readonly OwnQuery[];
  readonly existing: readonly Known[];
  readonly contractedTables: ReadonlySet<string>;
};

const sampleRowsMax = 10;

/** Normalises a statement for comparison: without comments, spacing, case and semicolons. */
const sameText = (sql: string, dialect: SqlDialect): string =>
  readSqlTokens(sql, dialect)
    .filter(({ kind }) => kind !== 'comment')
    .map((token) => tokenText(sql, token).toLowerCase())
    .filter((text) => text.trim() !== '' && text !== ';')
    .join(' ');

const triggers: ReadonlySet<string> = new Set<NotificationTrigger>([
  'OnResultCountChange',
  'OnResultCountIncrease',
  'Always',
  'WhileRows',
]);
const isTrigger = (word: string): word is NotificationTrigger => triggers.has(word);

/** Refusal of an action. Its message is for users. */
class Unproved extends Error {}
const no = (problem: string): Unproved => new Unproved(problem);

const given = (text: string | null): string => text?.trim() ?? '';

/** Proved actions that precede the current one in the same answer. */
type SoFar = { readonly actions: ProvedAction[] };

const newQueriesOf = ({ actions }: SoFar) =>
  actions.flatMap(({ definition }) => (definition.type === 'CreateQuery' ? [definition] : []));

/**
 * Checks the proposals of a model. Each action is proved by code alone. A refused action gets a reason. Nothing is
 * changed.
 */
export function createProve(deps: ProveDeps) {
  const proveStatement = async (ground: Ground, sql: string, call: Call): Promise<Sample> => {
    const { projectId, dataSourceId } = ground.actor;
    const checked = await deps.check({ dataSourceId, sql }, call);
    if (checked.verdict !== 'Passed') throw no(checked.message || 'The statement could not be checked.');
    const ran = await deps.run({ projectId, dataSourceId, sql, rowsMax: sampleRowsMax }, call);
    if (ran.kind === 'Refused') throw no(ran.message);
    const { columns, rows, truncatedBy } = ran;
    return { columns: columns.map(({ name }) => name), rows, isTruncated: truncatedBy !== null };
  };

  const refuseDuplicate = (ground: Ground, soFar: SoFar, sql: string, exceptName?: string): void => {
    const text = sameText(sql, ground.dialect);
    const others = [...ground.existing, ...newQueriesOf(soFar)].filter(({ name }) => name !== exceptName);
    const twin = others.find((other) => other.sql !== '' && sameText(other.sql, ground.dialect) === text);
    if (twin) throw no(`The query "${twin.name}" says this already.`);
  };

  const createQuery = async (ground: Ground, soFar: SoFar, action: ModelAction, call: Call) => {
    const { maxQueries } = ground.actor;
    const name = given(action.queryName);
    const sql = given(action.sql);
    if (name === '' || sql === '') throw no('A new query needs a name and a statement.');
    if (ground.own.length + newQueriesOf(soFar).length >= maxQueries)
      throw no(`The actor may have ${plural(maxQueries, 'query', 'queries')}.`);
    const isTaken = [...ground.existing, ...newQueriesOf(soFar)].some(
      (other) => other.name.toLowerCase() === name.toLowerCase(),
    );
    if (isTaken) throw no(`The project has a query named "${name}".`);
    refuseDuplicate(ground, soFar, sql);
    const sample = await proveStatement(ground, sql, call);
    const description = given(action.description) || null;
    return { definition: { type: 'CreateQuery', name, description, sql } as const, sample };
  };

  /** Returns an unlocked query of the actor. */
  const ownQuery = (ground: Ground, id: number | null): OwnQuery => {
    const query = ground.own.find((one) => one.id === id);
    if (!query) throw no('The query is none of the actor.');
    if (query.isLocked) throw no(`The query "${query.name}" is locked.`);
    return query;
  };

  const refineQuery = async (ground: Ground, soFar: SoFar, action: ModelAction, call: Call) => {
    const query = ownQuery(ground, action.queryId);
    const sql = given(action.sql);
    if (query.isEdited) throw no(`A person has edited the query "${query.name}" since.`);
    if (sql === '') throw no('A refined query needs a statement.');
    if (soFar.actions.some(({ definition: d }) => d.type === 'RefineQuery' && d.queryId === query.id))
      throw no('Another action refines this query.');
    if (sameText(sql, ground.dialect) === sameText(query.sql, ground.dialect))
      throw no('The query says this already.');
    refuseDuplicate(ground, soFar, sql, query.name);
    const sample = await proveStatement(ground, sql, call);
    const description = given(action.description) || query.description;
    const { id: queryId, name: queryName, sql: currentSql } = query;
    const definition = { type: 'RefineQuery', queryId, queryName, description, sql, currentSql } as const;
    return { definition, sample };
  };

  /** Returns the query to subscribe to: a query of the actor, or a query that the same answer creates. */
  const subscribed = (ground: Ground, soFar: SoFar, action: ModelAction) => {
    if (action.queryId !== null) {
      const { id, name, subscriptions } = ownQuery(ground, action.queryId);
      return { queryId: id, queryName: name, subscriptions };
    }
    const name = given(action.queryName).toLowerCase();
    const made = newQueriesOf(soFar).find((query) => query.name.toLowerCase() === name);
    if (!made) throw no('The query is none of the actor, and no action before this one makes it.');
    return { queryId: null, queryName: made.name, subscriptions: [] };
  };

  const createSubscription = async (ground: Ground, soFar: SoFar, action: ModelAction) => {
    const { maxSubscriptionsPerQuery: most, timeZone, defaultRecipientIds } = ground.actor;
    const { queryId, queryName, subscriptions } = subscribed(ground, soFar, action);
    const { cronExpression } = await deps.schedules.explain(given(action.cronExpression), timeZone);
    const notificationTrigger = given(action.notificationTrigger) || 'OnResultCountChange';
    if (!isTrigger(notificationTrigger)) throw no(`There is no trigger "${notificationTrigger}".`);
    const planned = soFar.actions.flatMap(({ definition: d }) =>
      d.type === 'CreateSubscription' && d.queryName === queryName ? [d] : [],
    );
    const there = [...subscriptions, ...planned];
    if (there.length >= most) throw no(`A query of the actor may have ${plural(most, 'subscription')}.`);
    if (there.some((one) => one.cronExpression === cronExpression && one.timeZone === timeZone))
      throw no('The query has a subscription by this schedule.');
    const { minimumRowCount } = action;
    if (minimumRowCount !== null && (minimumRowCount < 1 || minimumRowCount > 1_000_000_000))
      throw no('A threshold is at least 1.');
    const definition = {
      type: 'CreateSubscription' as const,
      queryId,
      queryName,
      cronExpression,
      timeZone,
      notificationTrigger,
      minimumRowCount,
      recipientIds: defaultRecipientIds,
    };
    return { definition, sample: null };
  };

  const archiveSubscription = (ground: Ground, soFar: SoFar, action: ModelAction) => {
    for (const query of ground.own) {
      const subscription = query.subscriptions.find(({ id }) => id === action.subscriptionId);
      if (!subscription) continue;
      if (query.isLocked) throw no(`The query "${query.name}" is locked.`);
      if (subscription.isEdited) throw no('A person has changed the subscription since.');
      const { id: subscriptionId, cronExpression, timeZone } = subscription;
      if (
        soFar.actions.some(
          ({ definition: d }) => d.type === 'ArchiveSubscription' && d.subscriptionId === subscriptionId,
        )
      )
        throw no('Another action archives this subscription.');
      const definition = {
        type: 'ArchiveSubscription' as const,
        subscriptionId,
        cronExpression,
        timeZone,
        queryId: query.id,
        queryName: query.name,
      };
      return { definition, sample: null };
    }
    throw no('The subscription is none of the actor.');
  };

  const createContract = async (ground: Ground, soFar: SoFar, action: ModelAction) => {
    const { projectId, dataSourceId, defaultRecipientIds } = ground.actor;
    const schemaName = given(action.schemaName);
    const tableName = given(action.tableName);
    const name = given(action.contractName) || tableName;
    const table = `${schemaName}.${tableName}`;
    const isThere =
      ground.contractedTables.has(table) ||
      soFar.actions.some(
        ({ definition: d }) => d.type === 'CreateContract' && `${d.schemaName}.${d.tableName}` === table,
      );
    if (tableName === '') throw no('A contract needs a table.');
    if (isThere) throw no(`The table "${table}" has a contract.`);
    const rules = rulesOf(action.rules);
    if (rules.length === 0) throw no('A contract needs a rule.');
    await deps.assertRulesFit({ projectId, dataSourceId, schemaName, tableName }, rules);
    const definition = {
      type: 'CreateContract' as const,
      schemaName,
      tableName,
      name,
      rules: rules.map(({ name: rule, type, columns, config }) => ({ name: rule, type, columns, config })),
      recipientIds: defaultRecipientIds,
    };
    return { definition, sample: null };
  };

  const prove = (
    ground: Ground,
    soFar: SoFar,
    action: ModelAction,
    call: Call,
  ):
    | Promise<{ definition: ActionDefinition; sample: Sample | null }>
    | { definition: ActionDefinition; sample: null } => {
    switch (action.type) {
      case 'CreateQuery':
        return createQuery(ground, soFar, action, call);
      case 'RefineQuery':
        return refineQuery(ground, soFar, action, call);
      case 'CreateSubscription':
        return createSubscription(ground, soFar, action);
      case 'ArchiveSubscription':
        return archiveSubscription(ground, soFar, action);
      case 'CreateContract':
        return createContract(ground, soFar, action);
    }
  };

  /** Proves actions in order. An action may build on earlier ones. */
  return async (
    ground: Ground,
    actions: readonly ModelAction[],
    call: Call,
  ): Promise<{ readonly proved: readonly ProvedAction[]; readonly discarded: readonly Discarded[] }> => {
    const soFar: SoFar = { actions: [] };
    const discarded: Discarded[] = [];
    for (const action of actions) {
      call.signal.throwIfAborted();
      const { type, reasoning } = action;
      try {
        if (soFar.actions.length >= ground.actor.maxActionsPerPlan)
          throw no(`A plan of the actor has at most ${plural(ground.actor.maxActionsPerPlan, 'action')}.`);
        soFar.actions.push({ reasoning, ...(await prove(ground, soFar, action, call)) });
      } catch (error) {
        const problem = problemOf(error);
        if (problem === undefined) throw error;
        discarded.push({ type, reasoning, problem });
      }
    }
    return { proved: soFar.actions, discarded };
  };
}

/** Returns the reason for a refused action, or undefined for an error that is not about the action. */
const problemOf = (error: unknown): string | undefined =>
  error instanceof Unproved
    ? error.message
    : error instanceof HttpProblem
      ? (error.detail ?? error.title)
      : undefined;
