import type { AlertMode, EvaluationReason, FailureCondition } from '@svc/contract';

/** Conditions under which a scheduled evaluation notifies the recipients of its contract, in words. */
export const alertModeWords: Readonly<{ [mode in AlertMode]: string }> = {
  EveryFailure: 'After every scheduled evaluation that fails',
  OnChange: 'When it starts to fail, and when it recovers',
};

/** Results that fail a contract, in words. */
export const failureWords: Readonly<{ [condition in FailureCondition]: string }> = {
  AnyRule: 'When a rule fails',
  Score: 'When a critical rule fails, or the score is too low',
};

/** Reasons why no rule of a contract was evaluated, in words. */
export const evaluationReasonWords: Readonly<{ [reason in EvaluationReason]: string }> = {
  SourceNotLinked: 'the data source is not linked to the project',
  SourceUnreachable: 'the data source could not be reached',
  TableUnknown: 'the table does not exist',
  ContractGone: 'the contract was archived',
  Cancelled: 'the evaluation was cancelled',
  Interrupted: 'the evaluation was interrupted',
};
