export { createJobDashboard, type DashboardOptions } from './service.ts';
