#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A job array of Slurm, in a folder that all nodes see, with models/ in it:
#
#     job=$(sbatch --parsable slurm.sh)
#     sbatch --dependency=afterany:$job --wrap "poselane merge-reports 'out/report-*.json' -o report.json"
#
# A task whose node fails is queued again. Repeat others by scontrol requeue <job>_<task>; what they had baked comes from the cache.
#SBATCH --job-name=bake
#SBATCH --array=0-7
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=bake-%a.log

exec poselane bake 'models/**/*.glb' -o out/ --shard env --jobs "$SLURM_CPUS_PER_TASK" \
    --cache https://cache.example --report "out/report-$SLURM_ARRAY_TASK_ID.json"
