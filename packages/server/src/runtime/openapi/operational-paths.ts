import { type Operation, type Paths, type Responses, TEXT } from './openapi-types.js';

const TEXT_CONTENT = { 'text/plain': { schema: TEXT } };

/** What supervisors and people are answered. */
export const OPERATION_PATHS: Paths = {
  '/': {
    get: operation('getOverview', 'The paths of this server', {
      '200': { description: 'For people.', content: TEXT_CONTENT },
      '503': { $ref: '#/components/responses/HtsgetError' },
    }),
  },
  '/healthz': {
    get: operation('getHealth', 'Whether the server is alive', {
      '200': { description: 'It is.', content: TEXT_CONTENT },
    }),
  },
  '/readyz': {
    get: operation('getReadiness', 'Whether the server should be sent requests', {
      '200': { description: 'It should.', content: TEXT_CONTENT },
      '503': { description: 'It should not: it starts, goes, or is beyond its limits.', content: TEXT_CONTENT },
    }),
  },
  '/metrics': {
    get: operation('getMetrics', 'Metrics for Prometheus', {
      '200': { description: 'Its text format.', content: TEXT_CONTENT },
    }),
  },
  '/openapi.json': {
    get: operation('getOpenApi', 'This document', {
      '200': {
        description: 'OpenAPI 3.1.',
        content: { 'application/json': { schema: { type: 'object' } } },
      },
    }),
  },
};

function operation(operationId: string, summary: string, responses: Responses): Operation {
  return { operationId, tags: ['operation'], summary, security: [], responses };
}
