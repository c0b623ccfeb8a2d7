import type { Answer, HttpClient } from '../client/http-client.ts';
import { until } from './until.ts';

/** Evaluation of a data contract, as its detail route returns it. */
export type EvaluationDetail = {
  readonly id: number;
  readonly status: string;
  readonly reason: string | null;
  readonly score: number | null;
  readonly totalRows: number | null;
  readonly results: readonly {
    readonly name: string;
    readonly outcome: string;
    readonly failing: number | null;
    readonly message: string | null;
    readonly sample: { readonly columns: string[]; readonly rows: unknown[][] } | null;
  }[];
};

/** Waits for the end of an evaluation and returns it. */
export async function finishedEvaluation(
  client: HttpClient,
  contractId: number,
  evaluationId: number,
): Promise<EvaluationDetail> {
  const path = `/svc/api/data-quality/contracts/${contractId}/evaluations/${evaluationId}`;
  let body: Answer['body'];
  return until(
    () => `the end of evaluation ${evaluationId}: ${JSON.stringify(body)}`,
    async () => {
      ({ body } = await client.get(path));
      return body.finishedAt ? body : undefined;
    },
  );
}

/** Evaluates a contract and waits for the end. */
export async function evaluateNow(client: HttpClient, contractId: number): Promise<EvaluationDetail> {
  const answer = await client.post(`/svc/api/data-quality/contracts/${contractId}/evaluate`);
  if (answer.status !== 202) throw new Error(`Evaluating answered ${answer.status} ${answer.text}`);
  return finishedEvaluation(client, contractId, answer.body.evaluationId);
}
