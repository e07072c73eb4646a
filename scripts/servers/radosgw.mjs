// Starts Ceph's object gateway with its S3 API, over one monitor and one store in memory. Needs Debian's radosgw,
// ceph-mon and ceph-osd. Prints {"endpoint", "accessKeyId", "secretAccessKey", "bucket", "versionedBucket"}.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { findPorts, runServer, waitUntil } from './run-server.mjs';

const { AwsClient } = createRequire(new URL('../../packages/storage/package.json', import.meta.url))('aws4fetch');

const KEYS = { accessKeyId: 'HTSKITKEY', secretAccessKey: 'htskit-secret' };
const BUCKET = 'htskit';
const VERSIONED_BUCKET = 'htskit-versions';
const VERSIONING = '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>';

/** One store, one copy of everything, no authentication within the cluster, and as little work as possible. */
function configuration({ folder, cluster, monitorPort, gatewayPort }) {
  return `[global]
fsid = ${cluster}
mon_host = v1:127.0.0.1:${monitorPort}
public_addr = 127.0.0.1
ms_bind_msgr2 = false
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
run_dir = ${folder}
admin_socket = ${folder}/$name.sock
pid_file =
log_file = ${folder}/$name.log
log_to_stderr = false
err_to_stderr = false
keyring = ${folder}/keyring
mon_data = ${folder}/monitor
osd_data = ${folder}/store
rgw_data = ${folder}/gateway
setuser_match_path =
mon_allow_pool_size_one = true
mon_warn_on_pool_no_redundancy = false
mon_data_avail_crit = 1
mon_data_avail_warn = 1
mon_max_pg_per_osd = 2000
osd_objectstore = memstore
memstore_device_bytes = 2147483648
osd_crush_chooseleaf_type = 0
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 2
osd_pool_default_pgp_num = 2
osd_pool_default_pg_autoscale_mode = off
rgw_frontends = beast endpoint=127.0.0.1:${gatewayPort}
rgw_dns_name = localhost
rgw_enable_usage_log = false
`;
}

function startMonitor({ run, daemon, conf, cluster, monitorPort }) {
  run('monmaptool', '--create', '--fsid', cluster, '--addv', 'a', `[v1:127.0.0.1:${monitorPort}]`, 'monmap');
  run('ceph-authtool', '--create-keyring', 'keyring', '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *');
  run('ceph-mon', ...conf, '--mkfs', '-i', 'a', '--monmap', 'monmap', '--keyring', 'keyring');
  daemon('ceph-mon', ...conf, '-f', '-i', 'a');
}

async function startStore({ run, restarting, conf }) {
  const store = randomUUID();
  const id = run('ceph', ...conf, 'osd', 'new', store).trim();
  run('mkdir', 'store');
  run('ceph-osd', ...conf, '--mkfs', '-i', id, '--osd-uuid', store);
  // The store sometimes exits, because it sends the monitor a command before it knows its cluster.
  restarting('ceph-osd', ...conf, '-f', '-i', id);
  await waitUntil('the start of the store', () => / 1 up/.test(run('ceph', ...conf, 'osd', 'stat')));
}

async function startGateway({ run, daemon, conf, endpoint }) {
  const { accessKeyId, secretAccessKey } = KEYS;
  const keys = ['--access-key', accessKeyId, '--secret-key', secretAccessKey];
  run('radosgw-admin', ...conf, 'user', 'create', '--uid', 'htskit', '--display-name', 'htskit', ...keys);
  daemon('radosgw', ...conf, '-f', '-n', 'client.rgw.a');
  await waitUntil('the start of the gateway', async () => (await fetch(endpoint)).ok);
}

async function createBuckets(endpoint) {
  const client = new AwsClient({ ...KEYS, service: 's3', region: 'us-east-1' });
  const requests = [
    [`${endpoint}/${BUCKET}`, ''],
    [`${endpoint}/${VERSIONED_BUCKET}`, ''],
    [`${endpoint}/${VERSIONED_BUCKET}?versioning`, VERSIONING],
  ];
  for (const [url, body] of requests) {
    const { ok, status } = await client.fetch(url, { method: 'PUT', body });
    if (!ok) throw new Error(`the gateway answered HTTP ${status} to the making of a bucket`);
  }
}

await runServer(async ({ folder, run, daemon, restarting }) => {
  const [monitorPort, gatewayPort] = await findPorts(2);
  const cluster = randomUUID();
  const endpoint = `http://127.0.0.1:${gatewayPort}`;
  writeFileSync(join(folder, 'ceph.conf'), configuration({ folder, cluster, monitorPort, gatewayPort }));
  const context = { run, daemon, restarting, conf: ['-c', join(folder, 'ceph.conf')], cluster, monitorPort, endpoint };
  startMonitor(context);
  await startStore(context);
  await startGateway(context);
  await createBuckets(endpoint);
  return { endpoint, ...KEYS, bucket: BUCKET, versionedBucket: VERSIONED_BUCKET };
});
