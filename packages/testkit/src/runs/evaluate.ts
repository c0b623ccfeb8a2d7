import { vi } from 'vitest';
import type { HttpClient } from '../client/http-client.ts';

/** An evaluation of a data contract, as its page shows it. */
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

/** Reads an evaluation once it is over. */
export async function finishedEvaluation(
  client: HttpClient,
  contractId: number,
  evaluationId: number,
): Promise<EvaluationDetail> {
  const path = `/svc/api/data-quality/contracts/${contractId}/evaluations/${evaluationId}`;
  return vi.waitFor(
    async () => {
      const { body } = await client.get(path);
      if (!body.finishedAt)
        throw new Error(`Evaluation ${evaluationId} is not over: ${JSON.stringify(body)}`);
      return body;
    },
    { timeout: 60_000, interval: 25 },
  );
}

/** Evaluates a contract now, to the end. */
export async function evaluateNow(client: HttpClient, contractId: number): Promise<EvaluationDetail> {
  const answer = await client.post(`/svc/api/data-quality/contracts/${contractId}/evaluate`);
  if (answer.status !== 202) throw new Error(`Evaluating answered ${answer.status} ${answer.text}`);
  return finishedEvaluation(client, contractId, answer.body.evaluationId);
}
