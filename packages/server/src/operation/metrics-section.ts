import { z } from 'zod';

/** Where Prometheus reads the metrics. */
export interface MetricsSection {
  readonly enabled?: boolean | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
}

export const metricsSection: z.ZodType<MetricsSection> = z.strictObject({
  enabled: z.boolean().optional().describe('Whether /metrics is answered. Default: true.'),
  host: z.string().min(1).optional().describe('The address that the port is for. Default: 127.0.0.1.'),
  port: z
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe('A port for /metrics alone; 0 takes a free one. Default: it is a path of the server.'),
});
