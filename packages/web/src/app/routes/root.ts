import { createRootRoute, Outlet } from '@tanstack/react-router';
import { Failure } from './failure.tsx';

export const root = createRootRoute({
  component: Outlet,
  errorComponent: Failure,
});
