import { z } from 'zod';
import { parseSyslogReceiver } from '../../runtime/audit/syslog.js';
import { httpUrl } from '../http-url.js';

const tlsSection = z.strictObject({
  cert: z.string().min(1).describe('A PEM file with the certificate, followed by its intermediate certificates.'),
  key: z.string().min(1).describe('A PEM file with the private key.'),
});

/** The certificate of the server, as paths of PEM files. */
export type TlsSection = z.infer<typeof tlsSection>;

/** The section `listen` of the configuration. */
export const listenSection = z.strictObject({
  host: z.string().min(1).optional().describe('The address to listen on. Default: 127.0.0.1.'),
  port: z.int().min(0).max(65_535).optional().describe('The port to listen on; 0 takes a free one. Default: 8080.'),
  tls: tlsSection.optional().describe('Serves HTTPS instead of HTTP.'),
  trustedProxies: z
    .int()
    .min(0)
    .optional()
    .describe('The number of proxies before the server, whose X-Forwarded-For names the client. Default: 0.'),
});

/** From most to least severe. Messages below the configured level are dropped. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** The section `log` of the configuration. */
export const logSection = z.strictObject({
  format: z
    .enum(['auto', 'json', 'text'])
    .optional()
    .describe('JSON lines, text lines, or auto: text if stderr is a terminal, and JSON otherwise. Default: auto.'),
  level: z.enum(LOG_LEVELS).optional().describe('The lowest level that is logged. Default: info.'),
  access: z.boolean().optional().describe('Whether each request is logged. Default: true for JSON, false for text.'),
});

export type LogSection = z.infer<typeof logSection>;

/** The section `metrics` of the configuration. */
export const metricsSection = z.strictObject({
  enabled: z.boolean().optional().describe('Whether /metrics is served. Default: true.'),
  host: z.string().min(1).optional().describe('The address of the separate port. Default: 127.0.0.1.'),
  port: z
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe(
      'A separate port for /metrics, /healthz and /readyz; 0 takes a free one. Default: they are paths of the server alone.',
    ),
});

export type MetricsSection = z.infer<typeof metricsSection>;

/** The section `tracing` of the configuration. */
export const tracingSection = z.strictObject({
  endpoint: httpUrl.describe('The URL of an OTLP/HTTP receiver, such as http://localhost:4318/v1/traces.'),
  serviceName: z.string().min(1).optional().describe('The service.name of the spans. Default: htskit.'),
  sampleRatio: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('The fraction of requests that are traced, unless the caller decided. Default: 1.'),
});

export type TracingSection = z.infer<typeof tracingSection>;

/** How many processes serve: a number, or one per processor. */
export const processesSetting = z
  .union([z.int().min(1).max(1024), z.literal('auto')], { error: 'expected a whole number from 1 to 1024, or auto' })
  .describe('The number of processes that serve, or auto: one per processor. Default: 1.');

export type ProcessesSetting = z.infer<typeof processesSetting>;

const auditFile = z.string().min(1);
const SYSLOG_FORMS = 'expected udp://HOST:PORT, tcp://HOST:PORT, tls://HOST:PORT or unix:/PATH';
const ONE_DESTINATION = 'expected one of file, syslog and otlp';

/** The section `audit` of the configuration: `stdout` or the path of a file, alone, or a destination with settings. */
export const auditSection = z
  .union(
    [
      auditFile,
      z
        .strictObject({
          file: auditFile.optional().describe('A path, or stdout.'),
          syslog: z
            .string()
            .refine((text) => parseSyslogReceiver(text) !== undefined, SYSLOG_FORMS)
            .optional()
            .describe(
              'A receiver of syslog (RFC 5424) in place of a file: udp://HOST:PORT, tcp://HOST:PORT, tls://HOST:PORT or unix:/PATH.',
            ),
          otlp: httpUrl
            .optional()
            .describe(
              'The URL of an OTLP/HTTP receiver of logs in place of a file, such as http://localhost:4318/v1/logs.',
            ),
          whenFull: z
            .enum(['refuse', 'drop'])
            .optional()
            .describe(
              'While records cannot be written, requests for objects get 503 (refuse), or are answered and their records may be ' +
                'lost (drop). Default: refuse for a file, and drop otherwise.',
            ),
        })
        .refine(({ file, syslog, otlp }) => [file, syslog, otlp].filter(Boolean).length === 1, ONE_DESTINATION),
    ],
    { error: 'expected a path, stdout, or { file, syslog or otlp, and whenFull: refuse or drop }' },
  )
  .describe('Where a record of each access to an object is written, refusals included. Default: none is recorded.');

export type AuditSection = z.infer<typeof auditSection>;

/** Whether there is a web page. */
export const pageSetting = z.enum(['on', 'off']).describe('Whether browsers get a page at / and /docs. Default: on.');
