import { previewSchedule } from '@svc/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { read } from '../lib/server-state.ts';

/** A schedule in words and its next five times, told by the parser that fires it. */
export const schedulePreview = (cronExpression: string, timeZone: string) =>
  queryOptions({
    ...read(previewSchedule, { body: { cronExpression, timeZone } }),
    placeholderData: keepPreviousData,
    enabled: cronExpression.trim() !== '',
  });
