// SPDX-License-Identifier: MIT
import type { ReportData } from '../data';

const data = JSON.parse(document.getElementById('report')!.textContent!) as ReportData;
document.getElementById('title')!.textContent = data.title;
document.body.dataset.ready = 'yes';
