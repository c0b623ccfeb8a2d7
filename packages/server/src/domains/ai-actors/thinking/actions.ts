import type { AiRuleType, NotificationTrigger, RuleConfig } from '@svc/contract';

/** A rule of a contract that an actor proposes. */
export type ProposedRule = {
  readonly name: string;
  readonly type: AiRuleType;
  readonly columns: string[];
  readonly config: RuleConfig;
};

/** A proved action: all data to apply it, and no other text of the model. */
export type ActionDefinition =
  | {
      readonly type: 'CreateQuery';
      readonly name: string;
      readonly description: string | null;
      readonly sql: string;
    }
  | {
      readonly type: 'RefineQuery';
      readonly queryId: number;
      readonly queryName: string;
      readonly description: string | null;
      readonly sql: string;
      readonly currentSql: string;
    }
  | {
      readonly type: 'CreateSubscription';
      /** Null: the query of this name, which another action of the plan creates. */
      readonly queryId: number | null;
      readonly queryName: string;
      readonly cronExpression: string;
      readonly timeZone: string;
      readonly notificationTrigger: NotificationTrigger;
      readonly minimumRowCount: number | null;
      readonly recipientIds: readonly number[];
    }
  | {
      readonly type: 'ArchiveSubscription';
      readonly subscriptionId: number;
      readonly queryId: number;
      readonly queryName: string;
      readonly cronExpression: string;
      readonly timeZone: string;
    }
  | {
      readonly type: 'CreateContract';
      readonly schemaName: string;
      readonly tableName: string;
      readonly name: string;
      readonly rules: readonly ProposedRule[];
      readonly recipientIds: readonly number[];
    };

export type ActionType = ActionDefinition['type'];

export type DefinitionOf<T extends ActionType> = Extract<ActionDefinition, { readonly type: T }>;

/** Masked rows of the run that proved a statement. */
export type Sample = {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly isTruncated: boolean;
};

/** An action that is valid for a plan. */
export type ProvedAction = {
  readonly reasoning: string;
  readonly definition: ActionDefinition;
  readonly sample: Sample | null;
};
