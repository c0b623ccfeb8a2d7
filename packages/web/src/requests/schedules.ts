import { previewSchedule } from '@svc/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { read } from '../lib/server-state.ts';

/** Schedule in words and its next five times, from the parser that also triggers the runs. */
export const schedulePreview = (cronExpression: string, timeZone: string) =>
  queryOptions({
    ...read(previewSchedule, { body: { cronExpression, timeZone } }),
    placeholderData: keepPreviousData,
    enabled: cronExpression.trim() !== '',
  });
