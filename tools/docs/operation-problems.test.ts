import { describe, expect, test } from 'vitest';
import * as contract from '../../packages/contract/src/index.ts';
import { openApiDocument } from '../../packages/server/src/platform/http/index.ts';

const { problemCodes, problemEntry, problemsOf } = contract;
const exported: readonly unknown[] = Object.values(contract);
const endpoints = exported.filter(
  (value): value is contract.Endpoint =>
    typeof value === 'object' && value !== null && 'operationId' in value,
);
const codes = Object.keys(problemCodes) as contract.ProblemCode[];

describe('problem codes of operations', () => {
  test('name only existing operations', () => {
    const operationIds = new Set(endpoints.map(({ operationId }) => operationId));
    expect(operationIds.size).toBeGreaterThan(100);
    const named = codes.flatMap((code) => problemEntry(code).operations ?? []);
    expect(named.filter((operationId) => !operationIds.has(operationId))).toEqual([]);
  });

  test('are listed by status in the OpenAPI document, with an example of each', () => {
    const document = openApiDocument(endpoints, { version: '0', serverUrl: '/' }) as unknown as {
      paths: Record<string, Record<string, { responses: Record<string, { 'x-problem-codes'?: string[] }> }>>;
      components: { examples: Record<string, { value: { status: number } }> };
    };
    for (const endpoint of endpoints) {
      const { responses = {} } = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()] ?? {};
      const listed = Object.entries(responses).flatMap(([status, response]) =>
        (response['x-problem-codes'] ?? []).map((code) => [code, Number(status)] as const),
      );
      expect([endpoint.operationId, listed.map(([code]) => code).toSorted()]).toEqual([
        endpoint.operationId,
        problemsOf(endpoint).toSorted(),
      ]);
      for (const [code, status] of listed)
        expect([code, document.components.examples[code]?.value.status]).toEqual([code, status]);
    }
  });

  test('exist for every refusal in the contract, except where the protocol itself answers', () => {
    // MCP answers its messages in JSON-RPC, without problem documents.
    const ofProtocol = ['callMcp'];
    const described = endpoints.filter(({ operationId }) => !ofProtocol.includes(operationId));
    const without = described.flatMap((endpoint) => {
      const statuses = new Set<number>(problemsOf(endpoint).map((code) => problemCodes[code].status));
      return Object.keys(endpoint.refusals ?? {})
        .filter((status) => !statuses.has(Number(status)))
        .map((status) => `${endpoint.operationId} ${status}`);
    });
    expect(without).toEqual([]);
  });
});
