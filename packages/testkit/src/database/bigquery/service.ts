import type { MethodName } from './api.ts';
import { catalogueAnswer } from './catalogue.ts';
import { dryRun } from './dry-run.ts';
import { getDataset, getRoutine, listDatasets } from './metadata.ts';
import { createQueryJobs } from './query-jobs.ts';
import {
  type ApiRequest,
  presentCall,
  type QueryBody,
  type QueryResult,
  type ServiceCall,
} from './service-call.ts';
import { asService } from './service-error.ts';
import { openShop } from './shop.ts';
import { statementType } from './statement.ts';

export type Service = {
  readonly asked: ApiRequest[];
  /** Answers matching statements with this result instead of the shop's rows. */
  readonly give: (pattern: RegExp, result: QueryResult) => void;
  /** Sets the type that a dry run reports for matching statements. */
  readonly callIt: (pattern: RegExp, type: string) => void;
  readonly call: (call: ServiceCall) => Promise<object>;
  readonly runningJobs: () => number;
  readonly close: () => void;
};

/** Creates the service of a project. It answers statements from the rows of a shop in memory. */
export function createService(project: string): Service {
  const shop = openShop();
  const asked: ApiRequest[] = [];
  const preparedResults: [RegExp, QueryResult][] = [];
  const preparedTypes: [RegExp, string][] = [];

  const resultOf = (query: QueryBody, location: string | undefined): QueryResult => {
    const prepared = preparedResults.findLast(([pattern]) => pattern.test(query.query));
    if (prepared) return prepared[1];
    const parameters = (query.queryParameters ?? []).map(({ name, parameterType, parameterValue }) => ({
      name,
      type: parameterType.type,
      value: parameterValue.value,
    }));
    const { fields, rows } = asService(
      () => catalogueAnswer(query.query, location) ?? shop.run(query.query, parameters),
    );
    return { fields, rows };
  };
  const typeOf = (sql: string): string =>
    preparedTypes.findLast(([pattern]) => pattern.test(sql))?.[1] ?? asService(() => statementType(sql));

  const jobs = createQueryJobs(project, resultOf);
  const handlers: Readonly<Record<MethodName, (call: ServiceCall) => object | Promise<object>>> = {
    'jobs.insert': (call) => dryRun(project, call, typeOf, resultOf),
    'jobs.query': jobs.query,
    'jobs.getQueryResults': jobs.results,
    'jobs.cancel': jobs.cancel,
    'datasets.list': listDatasets,
    'datasets.get': (call) => getDataset(project, call),
    'routines.get': (call) => getRoutine(project, call),
  };
  return {
    asked,
    give: (pattern, result) => void preparedResults.push([pattern, result]),
    callIt: (pattern, type) => void preparedTypes.push([pattern, type]),
    call: async (call) => {
      asked.push(presentCall(call));
      return handlers[call.method](call);
    },
    runningJobs: jobs.runningCount,
    close: shop.close,
  };
}
