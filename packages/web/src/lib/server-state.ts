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

/** The one cache of what the service said. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: freshMs,
      // A refusal stays a refusal; only an unreachable service is asked again.
      retry: (count, error) => count < 1 && error instanceof ProblemError && error.problem.status === 503,
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
});

/** A read: key and fetch of one endpoint with one input. Keys start with the tag, so that changes can name it. */
export const read = <E extends Endpoint>(endpoint: E, input: CallInput<E>) =>
  queryOptions({
    queryKey: [endpoint.tag, endpoint.operationId, input] as const,
    queryFn: ({ signal }): Promise<AnswerOf<E>> => call(endpoint, input, { signal }),
  });

/**
 * A change: calls the endpoint, then lets go of everything read under the tags that it touches. The same change asked
 * for again before it is answered, as by a double click, is sent once.
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

/** Header that lets a change pass only when the record is still the version that was read. */
export const ifUnchanged = (version: number): Record<string, string> => ({ 'if-match': `"${version}"` });
