// Measures the genotypes of 1,000 samples: the number of each allele and the phase of each call.
import { gmodPeer } from '../gmod.mjs';
import { nodeTask, raceTasks, speedRows, wholeProcess } from './race-tasks.mjs';

const GMOD = ['@gmod/tabix', '@gmod/vcf'];

/** Returns rows for VCF and, if it was written, BCF, which @gmod does not read. */
export async function measureGenotypes({ paths, count, bcftools }) {
  const rows = [];
  for (const [name, path, [peer, budget]] of [
    ['VCF with GT alone', paths.genotypes, [GMOD[0], 1.2]],
    ['VCF with five FORMAT keys', paths.fiveKeys, [GMOD[0], 0.9]],
    ['BCF', paths.bcf, ['bcftools', 1]],
  ]) {
    if (path === undefined) continue;
    const raced = await raceTasks([
      nodeTask('ours', ['ours', 'genotypes'], { path }),
      path === paths.bcf ? undefined : nodeTask(GMOD.map(gmodPeer).join(' + '), ['gmod', 'genotypes'], { path }),
      bcftools && wholeProcess(`${bcftools.name} query`, bcftools.command, ['query', '-f', '[%GT]\\n', path]),
    ]);
    const budgets = [{ peer, budget }, ...(peer === 'bcftools' ? [] : [{ peer: 'bcftools', budget: null }])];
    rows.push(speedRows({ name: `genotypes of ${name}`, unit: 'genotypes/CPU s', amount: count, budgets }, raced));
  }
  return rows.flat();
}
