export { createMcpCallers, type McpCallersService } from './service.ts';
