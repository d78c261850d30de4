/** autocannon in the place of wrk: the same arguments as load.lua, the same report. */
import autocannon from 'autocannon';
import type { LoadReport } from './generate-load.ts';

const [url = '', seconds, connections, method, path = '', body = '', ...lines] =
  process.argv.slice(2);
const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/, 2)));
let count = 0;

const { requests, throughput, errors, timeouts, duration, latency, ...statuses } = await autocannon(
  {
    url,
    duration: Number(seconds),
    connections: Number(connections),
    requests: [
      {
        method: method as 'GET' | 'POST',
        headers,
        path,
        setupRequest(request) {
          const number = String(++count);
          const counted = { ...request, path: path.replaceAll('{n}', number) };
          return body === '' ? counted : { ...counted, body: body.replaceAll('{n}', number) };
        },
      },
    ],
  },
);
const report: LoadReport = {
  requests: requests.total,
  seconds: duration,
  bytes: throughput.total,
  refused: statuses['4xx'] + statuses['5xx'],
  broken: errors + timeouts,
  p50: latency.p50,
  p99: latency.p99,
};
process.stdout.write(`${JSON.stringify(report)}\n`);
