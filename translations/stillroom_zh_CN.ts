<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>main</name>
    <message>
        <location filename="../app/main.cpp" line="60" />
        <source>Turns pretrained softmax Transformers into hybrids with linear attention</source>
        <translation>将预训练的 softmax Transformer 转换为含线性注意力的混合模型</translation>
    </message>
    <message>
        <location filename="../app/main.cpp" line="63" />
        <source>Folder that keeps runs and results</source>
        <translation>保存运行与结果的文件夹</translation>
    </message>
    <message>
        <location filename="../app/main.cpp" line="64" />
        <source>A Hugging Face folder, a GGUF file, or demo</source>
        <translation>Hugging Face 文件夹、GGUF 文件，或 demo</translation>
    </message>
</context>
<context>
    <name>stillroom::MainWindow</name>
    <message>
        <location filename="../app/mainwindow.cpp" line="35" />
        <location filename="../app/mainwindow.cpp" line="172" />
        <source>Stillroom</source>
        <translation>Stillroom</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="60" />
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="75" />
        <source>Teacher</source>
        <translation>教师模型</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="75" />
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="79" />
        <source>Ctrl+%1</source>
        <translation>Ctrl+%1</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="101" />
        <source>Probe</source>
        <translation>探针</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="102" />
        <source>The linear mixer that takes the place of softmax</source>
        <translation>代替 softmax 的线性混合器</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="103" />
        <source>&amp;Probe:</source>
        <translation>探针(&amp;P)：</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="118" />
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="135" />
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="143" />
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="144" />
        <source>&amp;Open teacher folder…</source>
        <translation>打开教师模型文件夹(&amp;O)…</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="145" />
        <source>Open &amp;GGUF file…</source>
        <translation>打开 GGUF 文件(&amp;G)…</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="146" />
        <source>Open the &amp;demo</source>
        <translation>打开演示(&amp;D)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="148" />
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="149" />
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="150" />
        <source>&amp;Score layers</source>
        <translation>为各层评分(&amp;S)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="151" />
        <source>&amp;Distil the chosen hybrid</source>
        <translation>蒸馏所选混合模型(&amp;D)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="152" />
        <source>&amp;Cancel the job</source>
        <translation>取消任务(&amp;C)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="153" />
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message numerus="yes">
        <location filename="../app/mainwindow.cpp" line="165" />
        <source>%1 · %n layers · %2 parameters</source>
        <translation><numerusform>%1 · %n 层 · %2 参数</numerusform></translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="166" />
        <source>No teacher is open.</source>
        <translation>尚未打开教师模型。</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="172" />
        <source>%1 — Stillroom</source>
        <translation>%1 — Stillroom</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="177" />
        <source>Open a Hugging Face folder</source>
        <translation>打开 Hugging Face 文件夹</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="184" />
        <source>Open a GGUF file</source>
        <translation>打开 GGUF 文件</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="184" />
        <source>GGUF models (*.gguf)</source>
        <translation>GGUF 模型 (*.gguf)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="236" />
        <source>A job is running</source>
        <translation>有任务正在运行</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="236" />
        <source>Stop it after its current step and close? A checkpoint is kept, and it can be resumed.</source>
        <translation>在当前步骤后停止并关闭吗？会保留检查点，之后可以继续。</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::CurvePlot</name>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="35" />
        <source>The loss appears here while a hybrid is distilled.</source>
        <translation>蒸馏混合模型时，损失会显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="36" />
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="80" />
        <source>last value %1</source>
        <translation>最后的值 %1</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="81" />
        <source>no data yet</source>
        <translation>尚无数据</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::ExperimentDialog</name>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="44" />
        <source>Score layers</source>
        <translation>为各层评分</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="44" />
        <source>Distil the hybrid</source>
        <translation>蒸馏混合模型</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="47" />
        <source>Texts</source>
        <translation>文本</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="49" />
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="50" />
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="51" />
        <source> tokens</source>
        <translation> 词元</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="52" />
        <source> sequences</source>
        <translation> 条序列</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="53" />
        <source>Add &amp;files…</source>
        <translation>添加文件(&amp;F)…</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="53" />
        <source>Add f&amp;older…</source>
        <translation>添加文件夹(&amp;O)…</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="53" />
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="69" />
        <source>Texts (.txt, .md, .rst, .jsonl):</source>
        <translation>文本（.txt、.md、.rst、.jsonl）：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="72" />
        <source>zero-shot: no training after stage 1, quick</source>
        <translation>零样本：阶段 1 之后不训练，快速</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="73" />
        <source>GA-S2: a short distillation per layer</source>
        <translation>GA-S2：每层做一次短蒸馏</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="74" />
        <source>stage-1 residual: the first look alone</source>
        <translation>阶段 1 残差：仅作初步参考</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="76" />
        <source>&amp;Selector:</source>
        <translation>选择器(&amp;S)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="79" />
        <source>Sequence &amp;length:</source>
        <translation>序列长度(&amp;L)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="80" />
        <source>Stage &amp;1, all layers together:</source>
        <translation>阶段 1，所有层一起(&amp;1)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="81" />
        <source>Stage &amp;2, each layer:</source>
        <translation>阶段 2，每层(&amp;2)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="81" />
        <source>Stage &amp;2:</source>
        <translation>阶段 2(&amp;2)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="82" />
        <source>&amp;Held out:</source>
        <translation>留出(&amp;H)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="100" />
        <source>Texts to train and measure on</source>
        <translation>用于训练和测量的文本</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="100" />
        <source>Texts (*.txt *.text *.md *.rst *.jsonl)</source>
        <translation>文本 (*.txt *.text *.md *.rst *.jsonl)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="106" />
        <source>A folder of texts</source>
        <translation>文本文件夹</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="118" />
        <source>Add at least one text.</source>
        <translation>请至少添加一个文本。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="118" />
        <source>Cost: about %1 tokens of training in all. An equal stage 1 that is there already is reused.</source>
        <translation>开销：共约 %1 个训练词元。已有的相同阶段 1 会被重用。</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::HybridStrip</name>
    <message>
        <location filename="../widgets/views/hybridstrip.cpp" line="20" />
        <source>Hybrid strip</source>
        <translation>混合条</translation>
    </message>
    <message>
        <location filename="../widgets/views/hybridstrip.cpp" line="62" />
        <source>Layer %1: softmax, kept</source>
        <translation>第 %1 层：softmax，保留</translation>
    </message>
    <message>
        <location filename="../widgets/views/hybridstrip.cpp" line="62" />
        <source>Layer %1: becomes %2</source>
        <translation>第 %1 层：变为 %2</translation>
    </message>
    <message>
        <location filename="../widgets/views/hybridstrip.cpp" line="63" />
        <source>Layer %1: softmax</source>
        <translation>第 %1 层：softmax</translation>
    </message>
    <message>
        <location filename="../widgets/views/hybridstrip.cpp" line="65" />
        <source>score %1 ± %2</source>
        <translation>得分 %1 ± %2</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/views/hybridstrip.cpp" line="72" />
        <source>%n of the layers stay softmax</source>
        <translation><numerusform>%n 层保持 softmax</numerusform></translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/views/hybridstrip.cpp" line="72" />
        <source>%n layers, all softmax</source>
        <translation><numerusform>共 %n 层，全部为 softmax</numerusform></translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::Inspector</name>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="46" />
        <source>Layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="50" />
        <source>In the hybrid</source>
        <translation>在混合模型中</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="50" />
        <source>softmax, kept</source>
        <translation>softmax，保留</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="50" />
        <source>becomes %1</source>
        <translation>变为 %1</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="53" />
        <location filename="../widgets/views/inspector.cpp" line="57" />
        <source>Score</source>
        <translation>得分</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="53" />
        <source>not measured yet</source>
        <translation>尚未测量</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="57" />
        <source>KL gain</source>
        <translation>KL 增益</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="57" />
        <source>%1 ± %2</source>
        <translation>%1 ± %2</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="57" />
        <source> nats/token</source>
        <translation> 纳特/词元</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="59" />
        <source>Held-out KL</source>
        <translation>留出 KL</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="59" />
        <source>%1, SE %2 nats/token</source>
        <translation>%1，标准误 %2 纳特/词元</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="62" />
        <source>Rank</source>
        <translation>排名</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="62" />
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="65" />
        <source>Settled</source>
        <translation>是否确定</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="65" />
        <source>no: within the error of the K boundary</source>
        <translation>否：在 K 边界的误差之内</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="67" />
        <source>Sequences</source>
        <translation>序列数</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="68" />
        <source>Training tokens</source>
        <translation>训练词元</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="69" />
        <source>Selector, probe</source>
        <translation>选择器，探针</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="75" />
        <source>No teacher</source>
        <translation>无教师模型</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="78" />
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="79" />
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="80" />
        <source>Heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="80" />
        <source>%1 query, %2 key/value</source>
        <translation>%1 个查询头，%2 个键/值头</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="81" />
        <source>Hint</source>
        <translation>提示</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="81" />
        <source>Select a layer to see its numbers; Esc comes back here.</source>
        <translation>选择一层可查看其数值；按 Esc 返回。</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::JobsStrip</name>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="16" />
        <source>%1 G</source>
        <translation>%1 G</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="18" />
        <source>%1 M</source>
        <translation>%1 M</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="20" />
        <source>%1 k</source>
        <translation>%1 k</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="28" />
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="30" />
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="31" />
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="40" />
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="41" />
        <source>&amp;Resume</source>
        <translation>继续(&amp;R)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="50" />
        <source>Progress of the job</source>
        <translation>任务进度</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="52" />
        <source>Stop after the current step; a checkpoint of it is kept (Ctrl+.)</source>
        <translation>在当前步骤后停止；会保留检查点 (Ctrl+.)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="54" />
        <source>Go on from the last checkpoint of the interrupted run</source>
        <translation>从中断的运行的最后一个检查点继续</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="61" />
        <source>Cancelling: the current step is being finished…</source>
        <translation>正在取消：等待当前步骤完成…</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="77" />
        <source>Opening the model…</source>
        <translation>正在打开模型…</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="77" />
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="79" />
        <source>A run was interrupted; it can go on from its last checkpoint.</source>
        <translation>有一次运行被中断；可从其最后一个检查点继续。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="79" />
        <source>No job is running.</source>
        <translation>没有正在运行的任务。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="88" />
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="90" />
        <source> · %1 tokens</source>
        <translation> · %1 词元</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="92" />
        <source> · ≈ %1 left</source>
        <translation> · 约剩 %1</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::LayerBarPlot</name>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="26" />
        <source>Scores by layer</source>
        <translation>各层得分</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="29" />
        <source>becomes linear</source>
        <translation>变为线性</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="30" />
        <source>stays softmax</source>
        <translation>保持 softmax</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="49" />
        <location filename="../widgets/plots/layerbarplot.cpp" line="170" />
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="65" />
        <source>Layer %1: %2 ± %3 (95 %), n = %4</source>
        <translation>第 %1 层：%2 ± %3（95 %），n = %4</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="101" />
        <source>KL gain (nats/token): KL(all linear) − KL(only this layer kept)</source>
        <translation>KL 增益（纳特/词元）：KL(全线性) − KL(仅保留此层)</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="102" />
        <source>−KL above the worst layer (nats/token)</source>
        <translation>相对最差层的 −KL（纳特/词元）</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="103" />
        <source>stage-1 residual (relative squared error)</source>
        <translation>阶段 1 残差（相对平方误差）</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="104" />
        <source>score</source>
        <translation>得分</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="170" />
        <source>layer, best first</source>
        <translation>层，最佳在前</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="181" />
        <source>No scores yet.
Press “Score layers” to measure what each layer gains.</source>
        <translation>尚无得分。
点击“为各层评分”以测量每层的增益。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="181" />
        <source>Open a teacher to score its layers.</source>
        <translation>打开教师模型以为其各层评分。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="191" />
        <source>no scores</source>
        <translation>无得分</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/plots/layerbarplot.cpp" line="191" />
        <source>%n layers; the highest is layer %1 with %2</source>
        <translation><numerusform>共 %n 层；最高的是第 %1 层，为 %2</numerusform></translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::LayersPage</name>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="28" />
        <source>GA-S2 (short distillation)</source>
        <translation>GA-S2（短蒸馏）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="30" />
        <source>zero-shot (no training)</source>
        <translation>零样本（不训练）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="32" />
        <source>stage-1 residual (first look)</source>
        <translation>阶段 1 残差（初步参考）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="52" />
        <source>training KL</source>
        <translation>训练 KL</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="52" />
        <source>held-out KL</source>
        <translation>留出 KL</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="52" />
        <source>KL (nats/token)</source>
        <translation>KL（纳特/词元）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="98" />
        <source>by &amp;layer</source>
        <translation>按层(&amp;L)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="98" />
        <source>by ran&amp;k</source>
        <translation>按排名(&amp;K)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="103" />
        <source>Scores shown</source>
        <translation>显示的得分</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="104" />
        <source>S&amp;cores:</source>
        <translation>得分(&amp;C)：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="111" />
        <location filename="../widgets/pages/layerspage.cpp" line="230" />
        <location filename="../widgets/pages/layerspage.cpp" line="254" />
        <source>&amp;Score layers</source>
        <translation>为各层评分(&amp;S)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="112" />
        <source>Measure what each layer gains as a softmax layer (Ctrl+R)</source>
        <translation>测量每层作为 softmax 层的增益 (Ctrl+R)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="133" />
        <source>&amp;K, softmax layers kept:</source>
        <translation>保留的 softmax 层数 &amp;K：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="135" />
        <location filename="../widgets/pages/layerspage.cpp" line="138" />
        <source>Softmax layers kept</source>
        <translation>保留的 softmax 层数</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="139" />
        <source>Share of softmax layers kept</source>
        <translation>保留的 softmax 层比例</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="142" />
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="144" />
        <source>Back to the ranking</source>
        <translation>恢复为排名结果</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="145" />
        <source>Drop the set made by hand</source>
        <translation>放弃手动选择的集合</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="146" />
        <source>&amp;Distil this hybrid</source>
        <translation>蒸馏此混合模型(&amp;D)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="147" />
        <source>Train the hybrid that keeps these layers, in the background (Ctrl+D)</source>
        <translation>在后台训练保留这些层的混合模型 (Ctrl+D)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="176" />
        <source>%1 · probe %2</source>
        <translation>%1 · 探针 %2</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="190" />
        <source>adds %1 parameters</source>
        <translation>增加 %1 参数</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="191" />
        <source>saves %1 parameters</source>
        <translation>减少 %1 参数</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="192" />
        <source>cache %1 → %2 per token (bf16) + %3 of state</source>
        <translation>缓存每词元 %1 → %2 (bf16) + %3 状态</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="194" />
        <source>smaller than the teacher's cache above %1 tokens</source>
        <translation>超过 %1 词元后小于教师模型的缓存</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="196" />
        <source>decoding at %1k reads %2 a token (teacher %3)</source>
        <translation>在 %1k 处解码每词元读取 %2（教师 %3）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="206" />
        <source>Measured with these layers: KL %1 ± %2 nats/token</source>
        <translation>这些层的实测：KL %1 ± %2 纳特/词元</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="208" />
        <source>perplexity %1</source>
        <translation>困惑度 %1</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="210" />
        <source>recall %1</source>
        <translation>召回率 %1</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="230" />
        <location filename="../widgets/pages/layerspage.cpp" line="254" />
        <source>&amp;Score again</source>
        <translation>重新评分(&amp;S)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="244" />
        <source>These are stage-1 residuals: a first look. Trained scores take their place as soon as there are some.</source>
        <translation>这些是阶段 1 残差：仅作初步参考。一旦有训练后的得分就会取而代之。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="246" />
        <source>at %1 tokens a layer</source>
        <translation>每层 %1 词元</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="249" />
        <source>not settled at this K (shaded): layers %1</source>
        <translation>在此 K 下尚未确定（阴影）：第 %1 层</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="251" />
        <source>custom set: layers %1</source>
        <translation>自定义集合：第 %1 层</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::Session</name>
    <message>
        <location filename="../widgets/models/session.cpp" line="114" />
        <source>The run is not in this workspace any more.</source>
        <translation>此运行已不在该工作区中。</translation>
    </message>
    <message>
        <location filename="../widgets/models/session.cpp" line="184" />
        <source>Cancelled. It can be resumed from its last checkpoint.</source>
        <translation>已取消。可从最后一个检查点继续。</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::TeacherPage</name>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="21" />
        <source>biases on queries, keys and values</source>
        <translation>查询、键和值的偏置</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="23" />
        <source>bias after attention</source>
        <translation>注意力之后的偏置</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="25" />
        <source>norms on queries and keys</source>
        <translation>查询和键的归一化</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="27" />
        <source>rotary positions</source>
        <translation>旋转位置编码</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="29" />
        <source>scaled rotary positions</source>
        <translation>缩放的旋转位置编码</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="31" />
        <source>sliding window</source>
        <translation>滑动窗口</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="33" />
        <source>grouped queries</source>
        <translation>分组查询</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="35" />
        <source>head width other than D/H</source>
        <translation>头宽不等于 D/H</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="44" />
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="51" />
        <source>&amp;Score layers</source>
        <translation>为各层评分(&amp;S)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="63" />
        <source>&amp;Open folder…</source>
        <translation>打开文件夹(&amp;O)…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="63" />
        <source>Open &amp;GGUF…</source>
        <translation>打开 GGUF(&amp;G)…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="63" />
        <source>Open &amp;demo</source>
        <translation>打开演示(&amp;D)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="64" />
        <source>A Hugging Face folder with config.json and safetensors (Ctrl+O)</source>
        <translation>含 config.json 和 safetensors 的 Hugging Face 文件夹 (Ctrl+O)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="65" />
        <source>A GGUF file (Ctrl+Shift+O)</source>
        <translation>GGUF 文件 (Ctrl+Shift+O)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="66" />
        <source>The 0.2 M parameter teacher that ships with the program</source>
        <translation>随程序附带的 0.2 M 参数教师模型</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="68" />
        <source>Measure what each layer gains as a softmax layer (Ctrl+R)</source>
        <translation>测量每层作为 softmax 层的增益 (Ctrl+R)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="113" />
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="114" />
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="114" />
        <source>%1, MLP %2 (%3)</source>
        <translation>%1，MLP %2（%3）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="115" />
        <source>Heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="115" />
        <source>%1 query, %2 key/value, %3 wide</source>
        <translation>%1 个查询头，%2 个键/值头，宽 %3</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="116" />
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="116" />
        <source>%1, head tied to the embedding</source>
        <translation>%1，输出头与嵌入共享</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="117" />
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="117" />
        <source>%1 (%2 as float32)</source>
        <translation>%1（float32 为 %2）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="118" />
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="118" />
        <source>%1 tokens, RoPE base %2 (%3)</source>
        <translation>%1 词元，RoPE 基数 %2（%3）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="119" />
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="119" />
        <source>%1 per token (bf16)</source>
        <translation>每词元 %1 (bf16)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="120" />
        <source>Stored as</source>
        <translation>存储格式</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="126" />
        <source>Features: %1.</source>
        <translation>特性：%1。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="129" />
        <source>%1 parameters and %2 of state a layer; it does not carry over: %3</source>
        <translation>每层 %1 参数和 %2 状态；不能保留：%3</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="133" />
        <source>Export as %1: exact</source>
        <translation>导出为 %1：精确</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="133" />
        <source>Export as %1: not exact (%2)</source>
        <translation>导出为 %1：不精确（%2）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="136" />
        <source>Tokenizer: %1</source>
        <translation>分词器：%1</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="147" />
        <source>Open a teacher</source>
        <translation>打开教师模型</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="148" />
        <source>A Hugging Face folder (Llama, Qwen2, Qwen3, Mistral, SmolLM2) or a GGUF file; drop it anywhere in this window.</source>
        <translation>Hugging Face 文件夹（Llama、Qwen2、Qwen3、Mistral、SmolLM2）或 GGUF 文件；拖放到此窗口任意位置。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="153" />
        <source>This is a 0.2 M parameter teacher that can recall (its local heads were initialised, retrieval was learned). Drag K on the Layers page. Then open your own model.</source>
        <translation>这是一个能够回忆的 0.2 M 参数教师模型（局部头经过初始化，检索能力是学到的）。请在“层”页面拖动 K，然后打开您自己的模型。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="154" />
        <source>%1 · %2 · %3</source>
        <translation>%1 · %2 · %3</translation>
    </message>
</context>
</TS>
