import { keepPreviousData, QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type {
  CallDetail,
  CallList,
  EndpointHistory,
  EndpointList,
  EndpointPage,
} from '../../../src/api/endpoints.ts';
import type { JobDetail } from '../../../src/api/jobs.ts';
import type { Addons, ByName, Overview, SampleList, Series, Session } from '../../../src/api/overview.ts';
import type { ScheduleDetail, ScheduleList } from '../../../src/api/schedules.ts';
import type { ServerDetail, ServerList } from '../../../src/api/servers.ts';
import type { Trace } from '../../../src/api/traces.ts';
import { ApiError, get, type Parameters } from './api.ts';
import type { Json } from './json.ts';

/** Job with its details, in the form of the response. */
export type Job = Json<JobDetail>;

/** Refresh interval of visible data. */
export const liveMs = 2_000;
const slowMs = 5_000;
const retriesMax = 2;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      placeholderData: keepPreviousData,
      retry: (count, error) => count < retriesMax && !(error instanceof ApiError && error.status < 500),
    },
  },
});

function request<T>(path: string, parameters: Parameters = {}, refetchInterval: number | false = slowMs) {
  return queryOptions({
    queryKey: [path, parameters],
    queryFn: ({ signal }) => get<T>(path, parameters, signal),
    refetchInterval,
  });
}

const longMs = 60_000;
const sampledMs = 15_000;
const part = encodeURIComponent;

export const useSession = () => useQuery({ ...request<Session>('/session', {}, longMs), staleTime: longMs });
export const useAddons = () => useQuery(request<Addons>('/addons', {}, longMs));
export const useOverview = () => useQuery(request<Overview>('/overview', {}, liveMs));
export const useSeries = (span: string) => useQuery(request<Series>('/overview/series', { span }));
export const useSampleList = () => useQuery(request<SampleList>('/overview/samples', {}, sampledMs));
export const useByName = (span: string) => useQuery(request<ByName>('/overview/by-name', { span }));
export const useJob = (id: string) => useQuery(request<JobDetail>(`/jobs/${part(id)}`, {}, liveMs));
export const useTrace = (traceId: string) => useQuery(request<Trace>(`/traces/${part(traceId)}`, {}, liveMs));
export const useSchedules = (parameters: Parameters) =>
  useQuery(request<ScheduleList>('/recurring', parameters));
export const useSchedule = (id: string) => useQuery(request<ScheduleDetail>(`/recurring/${part(id)}`));
export const useServers = () => useQuery(request<ServerList>('/servers'));
export const useServer = (id: string) => useQuery(request<ServerDetail>(`/servers/${part(id)}`, {}, liveMs));
export const useApplications = () =>
  useQuery(request<{ items: readonly string[] }>('/applications', {}, longMs));
export const useEndpoints = (application: string | undefined) =>
  useQuery(request<EndpointList>('/endpoints', { application }));
export const useEndpointHistory = (application: string | undefined, hours: number) =>
  useQuery(request<EndpointHistory>('/endpoints/history', { application, hours }));
export const useEndpoint = (id: string, application: string | undefined) =>
  useQuery(request<EndpointPage>(`/endpoints/${part(id)}`, { application }));
export const useCalls = (id: string, parameters: Parameters) =>
  useQuery(request<CallList>(`/endpoints/${part(id)}/calls`, parameters));
export const useCall = (id: string, callId: string) =>
  useQuery(request<CallDetail>(`/endpoints/${part(id)}/calls/${part(callId)}`, {}, liveMs));

/** Refreshes all data after an action. */
export const refreshAll = (): Promise<void> => queryClient.invalidateQueries();
