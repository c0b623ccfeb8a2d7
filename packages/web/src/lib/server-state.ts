import type { AnswerOf, Endpoint } from '@svc/contract';
import {
  QueryClient,
  queryOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useRef } from 'react';
import { type CallInput, call } from './call.ts';
import { ProblemError } from './problem.ts';

const freshMs = 15_000;

/** Single cache of responses of the service. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: freshMs,
      // Only a request to an unreachable service is retried, because a refusal is final.
      retry: (count, error) => count < 1 && error instanceof ProblemError && error.problem.status === 503,
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
});

/**
 * Query of one endpoint with one input: key and function. Keys start with the tag, so that changes can invalidate by
 * tag.
 */
export const read = <E extends Endpoint>(endpoint: E, input: CallInput<E>) =>
  queryOptions({
    queryKey: [endpoint.tag, endpoint.operationId, input] as const,
    queryFn: ({ signal }): Promise<AnswerOf<E>> => call(endpoint, input, { signal }),
  });

/**
 * Change: calls the endpoint, then invalidates all queries with the tags that it touches. A repeated change during the
 * request, e.g. after a double click, is sent once.
 */
export function useChange<E extends Endpoint>(
  endpoint: E,
  options: { readonly touches?: readonly string[]; readonly headers?: () => Record<string, string> } = {},
): UseMutationResult<AnswerOf<E>, Error, CallInput<E>> {
  const client = useQueryClient();
  const underWay = useRef(new Map<string, Promise<AnswerOf<E>>>()).current;
  return useMutation({
    mutationFn: (input: CallInput<E>) => {
      const key = JSON.stringify(input);
      const present = underWay.get(key);
      if (present !== undefined) return present;
      const answer = call(endpoint, input, options.headers ? { headers: options.headers() } : {});
      underWay.set(key, answer);
      return answer.finally(() => underWay.delete(key));
    },
    onSuccess: async () => {
      const tags = [endpoint.tag, ...(options.touches ?? [])];
      await Promise.all(tags.map((tag) => client.invalidateQueries({ queryKey: [tag] })));
    },
  });
}

/** Returns the header that limits a change to this version of the record. The service refuses it for another version. */
export const ifUnchanged = (version: number): Record<string, string> => ({ 'if-match': `"${version}"` });
