<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Names</name>
    <message>
        <location filename="../widgets/views/names.cpp" line="18"/>
        <source>biases on queries, keys and values</source>
        <translation>查询、键和值带偏置</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="19"/>
        <source>bias after attention</source>
        <translation>注意力输出带偏置</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="20"/>
        <source>norms on queries and keys</source>
        <translation>查询和键带归一化</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="21"/>
        <source>rotary positions</source>
        <translation>旋转位置编码</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="22"/>
        <source>scaled rotary positions</source>
        <translation>缩放的旋转位置编码</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="23"/>
        <source>sliding window</source>
        <translation>滑动窗口</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="24"/>
        <source>grouped queries</source>
        <translation>分组查询</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="25"/>
        <source>head width other than D/H</source>
        <translation>头宽度不等于 D/H</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="36"/>
        <source>uniform, from the first layer</source>
        <translation>均匀，从首层起</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="37"/>
        <source>uniform, to the last layer</source>
        <translation>均匀，至末层止</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="38"/>
        <source>uniform, both ends</source>
        <translation>均匀，含两端</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="39"/>
        <source>uniform, latter half</source>
        <translation>均匀，后半部分</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="52"/>
        <source>GA-S2 (short distillation)</source>
        <translation>GA-S2（短蒸馏）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="54"/>
        <source>zero-shot (no training)</source>
        <translation>零样本（不训练）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="56"/>
        <source>stage-1 residual (first look)</source>
        <translation>第一阶段残差（初步）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="76"/>
        <location filename="../widgets/views/names.cpp" line="98"/>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="77"/>
        <source>SMART of %1 · %2</source>
        <translation>SMART（%1 · %2）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="79"/>
        <source>random (seed %1)</source>
        <translation>随机（种子 %1）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="80"/>
        <source>published %1 · %2</source>
        <translation>已发表 %1 · %2</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="83"/>
        <source>your set by hand</source>
        <translation>您的手工集合</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="88"/>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="93"/>
        <source>run %1</source>
        <translation>运行 %1</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="106"/>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="112"/>
        <source>packing the texts</source>
        <translation>打包文本</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="114"/>
        <source>stage 1</source>
        <translation>第一阶段</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="116"/>
        <source>stage 2</source>
        <translation>第二阶段</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="118"/>
        <source>zero-shot scores</source>
        <translation>零样本评分</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="120"/>
        <source>training every candidate</source>
        <translation>训练每个候选</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="129"/>
        <source>nothing</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>Quantities</name>
    <message>
        <location filename="../widgets/views/quantities.cpp" line="20"/>
        <source>%1 G</source>
        <translation>%1 G</translation>
    </message>
    <message>
        <location filename="../widgets/views/quantities.cpp" line="22"/>
        <source>%1 M</source>
        <translation>%1 M</translation>
    </message>
    <message>
        <location filename="../widgets/views/quantities.cpp" line="24"/>
        <source>%1 k</source>
        <translation>%1 k</translation>
    </message>
    <message>
        <location filename="../widgets/views/quantities.cpp" line="32"/>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <location filename="../widgets/views/quantities.cpp" line="34"/>
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <location filename="../widgets/views/quantities.cpp" line="35"/>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分</translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <location filename="../app/main.cpp" line="63"/>
        <source>Turns pretrained softmax Transformers into hybrids with linear attention</source>
        <translation>将预训练的 softmax Transformer 转换为含线性注意力的混合模型</translation>
    </message>
    <message>
        <location filename="../app/main.cpp" line="66"/>
        <source>Folder that keeps runs and results</source>
        <translation>保存运行与结果的文件夹</translation>
    </message>
    <message>
        <location filename="../app/main.cpp" line="67"/>
        <source>A Hugging Face folder, a GGUF file, or demo</source>
        <translation>Hugging Face 文件夹、GGUF 文件，或 demo</translation>
    </message>
    <message>
        <location filename="../app/main.cpp" line="68"/>
        <source>Colours for this time: light, dark or system (the View menu&apos;s choice stays)</source>
        <translation>本次使用的配色：light、dark 或 system（“视图”菜单中的选择不变）</translation>
    </message>
</context>
<context>
    <name>stillroom::MainWindow</name>
    <message>
        <location filename="../app/mainwindow.cpp" line="42"/>
        <location filename="../app/mainwindow.cpp" line="260"/>
        <source>Stillroom</source>
        <translation>Stillroom</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="70"/>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="86"/>
        <source>Teacher</source>
        <translation>教师模型</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="87"/>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="88"/>
        <source>Overlap</source>
        <translation>重叠</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="100"/>
        <source>Ctrl+%1</source>
        <translation>Ctrl+%1</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="142"/>
        <source>Probe</source>
        <translation>探针</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="143"/>
        <source>The linear mixer that takes the place of softmax</source>
        <translation>代替 softmax 的线性混合器</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="144"/>
        <source>&amp;Probe:</source>
        <translation>探针(&amp;P)：</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="167"/>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="176"/>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="177"/>
        <source>&amp;Open teacher folder…</source>
        <translation>打开教师模型文件夹(&amp;O)…</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="178"/>
        <source>Open &amp;GGUF file…</source>
        <translation>打开 GGUF 文件(&amp;G)…</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="179"/>
        <source>Open the &amp;demo</source>
        <translation>打开演示(&amp;D)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="181"/>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="182"/>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="183"/>
        <source>&amp;Score layers</source>
        <translation>为各层评分(&amp;S)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="184"/>
        <source>&amp;Distil the chosen hybrid</source>
        <translation>蒸馏所选混合模型(&amp;D)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="185"/>
        <source>&amp;Cancel the job</source>
        <translation>取消任务(&amp;C)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="192"/>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="199"/>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="201"/>
        <source>&amp;As the system</source>
        <translation>跟随系统(&amp;A)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="201"/>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="201"/>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="215"/>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="216"/>
        <source>&amp;Keys</source>
        <translation>按键(&amp;K)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="217"/>
        <source>&amp;About Stillroom</source>
        <translation>关于 Stillroom(&amp;A)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="230"/>
        <source>Ctrl+.</source>
        <translation>Ctrl+.</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="230"/>
        <source>Cancel the job</source>
        <translation>取消任务</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="231"/>
        <source>← → Home End</source>
        <translation>← → Home End</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="231"/>
        <source>Walk along the layers (in the strip and the bars)</source>
        <translation>逐层移动（在混合条和柱状图中）</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="232"/>
        <source>Space</source>
        <translation>空格</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="232"/>
        <source>Keep the selected layer as softmax, or let it go</source>
        <translation>将所选层保留为 softmax，或不再保留</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="233"/>
        <source>← → ↑ ↓ Enter</source>
        <translation>← → ↑ ↓ Enter</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="233"/>
        <source>Walk from cell to cell, and look at the pair (in the overlap matrix)</source>
        <translation>在格间移动，并查看所选的一对（在重叠矩阵中）</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="234"/>
        <source>Ctrl+C</source>
        <translation>Ctrl+C</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="234"/>
        <source>Copy the overlap table</source>
        <translation>复制重叠表</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="235"/>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="235"/>
        <source>Select nothing</source>
        <translation>取消选择</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="236"/>
        <source>L</source>
        <translation>L</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="236"/>
        <source>Logarithmic axis (in the curves)</source>
        <translation>对数坐标轴（在曲线中）</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="237"/>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="243"/>
        <source>About Stillroom</source>
        <translation>关于 Stillroom</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="244"/>
        <source>&lt;h3&gt;Stillroom %1&lt;/h3&gt;&lt;p&gt;Turns pretrained softmax Transformers into hybrids with linear attention.&lt;/p&gt;&lt;p&gt;Free software under the GNU General Public License, version 3 or later. It comes with no warranty.&lt;/p&gt;&lt;p&gt;Qt %2&lt;/p&gt;</source>
        <translation>&lt;h3&gt;Stillroom %1&lt;/h3&gt;&lt;p&gt;将预训练的 softmax Transformer 转换为含线性注意力的混合模型。&lt;/p&gt;&lt;p&gt;自由软件，依 GNU 通用公共许可证第 3 版或更新版本发布，不提供任何担保。&lt;/p&gt;&lt;p&gt;Qt %2&lt;/p&gt;</translation>
    </message>
    <message numerus="yes">
        <location filename="../app/mainwindow.cpp" line="256"/>
        <source>%n layers · %1 parameters</source>
        <translation>
            <numerusform>%n 层 · %1 个参数</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="257"/>
        <source>%1 softmax · %2 %3</source>
        <translation>%1 个 softmax · %2 个 %3</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="260"/>
        <source>%1 — Stillroom</source>
        <translation>%1 — Stillroom</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="295"/>
        <source>Open a Hugging Face folder</source>
        <translation>打开 Hugging Face 文件夹</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="302"/>
        <source>Open a GGUF file</source>
        <translation>打开 GGUF 文件</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="302"/>
        <source>GGUF models (*.gguf)</source>
        <translation>GGUF 模型 (*.gguf)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="348"/>
        <source>A job is running</source>
        <translation>有任务正在运行</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="348"/>
        <source>Stop it after its current step and close? A checkpoint is kept, and it can be resumed.</source>
        <translation>在当前步骤后停止并关闭吗？会保留检查点，之后可以继续。</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::AgreementPlot</name>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="29"/>
        <source>Jaccard index against K</source>
        <translation>Jaccard 指数随 K 的变化</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="37"/>
        <source>chance, 95 %</source>
        <translation>随机水平，95 %</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="38"/>
        <source>chance, mean</source>
        <translation>随机水平，均值</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="39"/>
        <source>beyond chance</source>
        <translation>超出随机</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="40"/>
        <source>within chance</source>
        <translation>随机范围内</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="43"/>
        <source>K, softmax layers kept</source>
        <translation>K，保留的 softmax 层数</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="47"/>
        <source>Jaccard index</source>
        <translation>Jaccard 指数</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="85"/>
        <source>K = %1: J = %2, chance %3 (%4 to %5), p = %6</source>
        <translation>K = %1：J = %2，随机 %3（%4 至 %5），p = %6</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="93"/>
        <source>Choose a cell of the matrix: how its two choices agree at every K appears here.</source>
        <translation>请在矩阵中选择一格：两种方案在每个 K 下的一致程度会显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="125"/>
        <source>no pair chosen</source>
        <translation>未选择任何一对</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="125"/>
        <source>no point at K = %1</source>
        <translation>K = %1 处没有数据点</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::CostTable</name>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="23"/>
        <source>Teacher</source>
        <translation>教师</translation>
    </message>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="24"/>
        <source>Hybrid</source>
        <translation>混合</translation>
    </message>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="25"/>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="25"/>
        <source>Of the whole model</source>
        <translation>整个模型的参数</translation>
    </message>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="26"/>
        <source>Cache per token</source>
        <translation>每词元缓存</translation>
    </message>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="26"/>
        <source>Keys and values of the softmax layers, in bfloat16</source>
        <translation>softmax 层的键和值，以 bfloat16 计</translation>
    </message>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="27"/>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="27"/>
        <source>Of the linear layers, for one sequence of any length</source>
        <translation>线性层的状态，对任意长度的一个序列</translation>
    </message>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="29"/>
        <source>Read per token at %1k</source>
        <translation>%1k 时每词元读取</translation>
    </message>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="29"/>
        <source>Bytes that decoding one token reads after so many thousand tokens: weights, cache and state</source>
        <translation>在这么多千词元之后解码一个词元所读取的字节：权重、缓存和状态</translation>
    </message>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="30"/>
        <source>Smaller above</source>
        <translation>更小的起点</translation>
    </message>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="30"/>
        <source>Context from which on cache and state together are smaller than the teacher&apos;s cache</source>
        <translation>从该上下文长度起，缓存与状态之和小于教师的缓存</translation>
    </message>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="40"/>
        <source>Hybrid: %1</source>
        <translation>混合：%1</translation>
    </message>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="41"/>
        <source>Teacher: %1</source>
        <translation>教师：%1</translation>
    </message>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="64"/>
        <source>%1 tokens</source>
        <translation>%1 词元</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::CurvePlot</name>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="20"/>
        <source>L: logarithmic axis</source>
        <translation>L：对数坐标轴</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="25"/>
        <source>training tokens</source>
        <translation>训练词元</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="62"/>
        <source>The loss of a distillation appears here.</source>
        <translation>蒸馏的损失显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="64"/>
        <source>The loss appears here as soon as stage 2 begins.</source>
        <translation>第二阶段开始后，损失显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="65"/>
        <source>No hybrid with these layers has been distilled yet.
Press “Distil this hybrid”: its loss appears here, live.</source>
        <translation>尚未蒸馏过保留这些层的混合模型。
按“蒸馏此混合模型”，损失会在这里实时显示。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="97"/>
        <source>last held-out value %1</source>
        <translation>最后的留出值 %1</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="99"/>
        <source>last value %1</source>
        <translation>最后的值 %1</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="99"/>
        <source>no data yet</source>
        <translation>尚无数据</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::ExperimentDialog</name>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="44"/>
        <source>Score layers</source>
        <translation>为各层评分</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="44"/>
        <source>Distil the hybrid</source>
        <translation>蒸馏混合模型</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="47"/>
        <source>Texts</source>
        <translation>文本</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="49"/>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="50"/>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="51"/>
        <source> tokens</source>
        <translation> 词元</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="52"/>
        <source> sequences</source>
        <translation> 条序列</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="53"/>
        <source>Add &amp;files…</source>
        <translation>添加文件(&amp;F)…</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="53"/>
        <source>Add f&amp;older…</source>
        <translation>添加文件夹(&amp;O)…</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="53"/>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="69"/>
        <source>Texts (.txt, .md, .rst, .jsonl):</source>
        <translation>文本（.txt、.md、.rst、.jsonl）：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="72"/>
        <source>zero-shot: no training after stage 1, quick</source>
        <translation>零样本：阶段 1 之后不训练，快速</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="73"/>
        <source>GA-S2: a short distillation per layer</source>
        <translation>GA-S2：每层做一次短蒸馏</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="74"/>
        <source>stage-1 residual: the first look alone</source>
        <translation>阶段 1 残差：仅作初步参考</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="76"/>
        <source>&amp;Selector:</source>
        <translation>选择器(&amp;S)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="79"/>
        <source>Sequence &amp;length:</source>
        <translation>序列长度(&amp;L)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="80"/>
        <source>Stage &amp;1, all layers together:</source>
        <translation>阶段 1，所有层一起(&amp;1)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="81"/>
        <source>Stage &amp;2, each layer:</source>
        <translation>阶段 2，每层(&amp;2)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="81"/>
        <source>Stage &amp;2:</source>
        <translation>阶段 2(&amp;2)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="82"/>
        <source>&amp;Held out:</source>
        <translation>留出(&amp;H)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="100"/>
        <source>Texts to train and measure on</source>
        <translation>用于训练和测量的文本</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="100"/>
        <source>Texts (*.txt *.text *.md *.rst *.jsonl)</source>
        <translation>文本 (*.txt *.text *.md *.rst *.jsonl)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="106"/>
        <source>A folder of texts</source>
        <translation>文本文件夹</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="118"/>
        <source>Add at least one text.</source>
        <translation>请至少添加一个文本。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="118"/>
        <source>Cost: about %1 tokens of training in all. An equal stage 1 that is there already is reused.</source>
        <translation>开销：共约 %1 个训练词元。已有的相同阶段 1 会被重用。</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::HybridStrip</name>
    <message>
        <location filename="../widgets/views/hybridstrip.cpp" line="25"/>
        <source>Hybrid strip</source>
        <translation>混合条</translation>
    </message>
    <message>
        <location filename="../widgets/views/hybridstrip.cpp" line="67"/>
        <source>Layer %1: softmax, kept</source>
        <translation>第 %1 层：softmax，保留</translation>
    </message>
    <message>
        <location filename="../widgets/views/hybridstrip.cpp" line="67"/>
        <source>Layer %1: becomes %2</source>
        <translation>第 %1 层：变为 %2</translation>
    </message>
    <message>
        <location filename="../widgets/views/hybridstrip.cpp" line="68"/>
        <source>Layer %1: softmax</source>
        <translation>第 %1 层：softmax</translation>
    </message>
    <message>
        <location filename="../widgets/views/hybridstrip.cpp" line="70"/>
        <source>score %1 ± %2</source>
        <translation>得分 %1 ± %2</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/views/hybridstrip.cpp" line="77"/>
        <source>%n of the layers stay softmax</source>
        <translation>
            <numerusform>%n 层保持 softmax</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/views/hybridstrip.cpp" line="77"/>
        <source>%n layers, all softmax</source>
        <translation>
            <numerusform>共 %n 层，全部为 softmax</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::Inspector</name>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="105"/>
        <source>Layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="44"/>
        <source>In the hybrid</source>
        <translation>在混合模型中</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="44"/>
        <source>softmax, kept</source>
        <translation>softmax，保留</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="44"/>
        <source>becomes %1</source>
        <translation>变为 %1</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="47"/>
        <location filename="../widgets/views/inspector.cpp" line="51"/>
        <source>Score</source>
        <translation>得分</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="47"/>
        <source>not measured yet</source>
        <translation>尚未测量</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="51"/>
        <source>KL gain</source>
        <translation>KL 增益</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="51"/>
        <source>%1 ± %2</source>
        <translation>%1 ± %2</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="53"/>
        <source>Held-out KL</source>
        <translation>留出 KL</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="53"/>
        <source>%1, SE %2 nats/token</source>
        <translation>%1，标准误 %2 纳特/词元</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="58"/>
        <source>Rank</source>
        <translation>排名</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="58"/>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="59"/>
        <source>Settled</source>
        <translation>是否确定</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="59"/>
        <source>no: within the error of the K boundary</source>
        <translation>否：在 K 边界的误差之内</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="59"/>
        <source>yes, at this K</source>
        <translation>是，在此 K 下</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="61"/>
        <source>Sequences</source>
        <translation>序列数</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="62"/>
        <source>Training tokens</source>
        <translation>训练词元</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="103"/>
        <source>Click a layer, or walk with the arrow keys, to see its numbers here. Esc comes back.</source>
        <translation>点击一层，或用方向键移动，在此查看其数值。按 Esc 返回。</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="107"/>
        <source>No teacher</source>
        <translation>无教师模型</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="73"/>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="51"/>
        <source>%1 ± %2 nats/token</source>
        <translation>%1 ± %2 纳特/词元</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="63"/>
        <source>Selector</source>
        <translation>选择器</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="64"/>
        <source>Probe</source>
        <translation>探针</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="74"/>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="75"/>
        <source>Heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="75"/>
        <source>%1 query, %2 key/value</source>
        <translation>%1 个查询头，%2 个键/值头</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::JobsStrip</name>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="23"/>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="24"/>
        <source>&amp;Resume</source>
        <translation>继续(&amp;R)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="34"/>
        <source>Job</source>
        <translation>任务</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="36"/>
        <source>Progress of the job</source>
        <translation>任务进度</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="37"/>
        <source>Stop after the current step; a checkpoint of it is kept (Ctrl+.)</source>
        <translation>在当前步骤后停止；会保留检查点 (Ctrl+.)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="39"/>
        <source>Go on from the last checkpoint of the interrupted run</source>
        <translation>从中断的运行的最后一个检查点继续</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="60"/>
        <source>Cancelling: the current step is being finished…</source>
        <translation>正在取消：等待当前步骤完成…</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="78"/>
        <source>Opening the model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="80"/>
        <source>Scoring with %1</source>
        <translation>用 %1 评分</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="82"/>
        <source>Distilling with %1</source>
        <translation>用 %1 蒸馏</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="97"/>
        <source>%1…</source>
        <translation>%1…</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="111"/>
        <source>%1: finished after %2.</source>
        <translation>%1：完成，用时 %2。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="113"/>
        <source>%1: failed after %2.</source>
        <translation>%1：失败，用时 %2。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="115"/>
        <source>%1: cancelled after %2.</source>
        <translation>%1：已取消，用时 %2。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="124"/>
        <source>%1 tokens/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="135"/>
        <source>%1 of the best %2 settled</source>
        <translation>前 %2 层中 %1 层已定</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="143"/>
        <source>step %1 of %2</source>
        <translation>第 %1 / %2 步</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="148"/>
        <source>≈ %1 left in this phase</source>
        <translation>本阶段约剩 %1</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="99"/>
        <source>A run was interrupted; it can go on from its last checkpoint.</source>
        <translation>有一次运行被中断；可从其最后一个检查点继续。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="101"/>
        <source>No job is running.</source>
        <translation>没有正在运行的任务。</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::KeepControl</name>
    <message>
        <location filename="../widgets/views/keepcontrol.cpp" line="15"/>
        <source>Back to the ranking</source>
        <translation>恢复为排名</translation>
    </message>
    <message>
        <location filename="../widgets/views/keepcontrol.cpp" line="20"/>
        <source>&amp;K, softmax layers kept:</source>
        <translation>保留的 softmax 层数 &amp;K：</translation>
    </message>
    <message>
        <location filename="../widgets/views/keepcontrol.cpp" line="22"/>
        <source>Drop the set made by hand</source>
        <translation>放弃手工集合</translation>
    </message>
    <message>
        <location filename="../widgets/views/keepcontrol.cpp" line="36"/>
        <location filename="../widgets/views/keepcontrol.cpp" line="39"/>
        <source>Softmax layers kept</source>
        <translation>保留的 softmax 层数</translation>
    </message>
    <message>
        <location filename="../widgets/views/keepcontrol.cpp" line="40"/>
        <source>Share of softmax layers kept</source>
        <translation>保留的 softmax 层占比</translation>
    </message>
    <message>
        <location filename="../widgets/views/keepcontrol.cpp" line="43"/>
        <source> %</source>
        <translation> %</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::LayerBarPlot</name>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="25"/>
        <source>Scores by layer</source>
        <translation>各层得分</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="58"/>
        <source>becomes linear</source>
        <translation>变为线性</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="57"/>
        <source>stays softmax</source>
        <translation>保持 softmax</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="305"/>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="119"/>
        <source>Layer %1: %2 ± %3 (95 %), n = %4</source>
        <translation>第 %1 层：%2 ± %3（95 %），n = %4</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="200"/>
        <source>score</source>
        <translation>得分</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="305"/>
        <source>layer, best first</source>
        <translation>层，最佳在前</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="285"/>
        <source>No scores yet.
Press “Score layers” to measure what each layer gains.</source>
        <translation>尚无得分。
点击“为各层评分”以测量每层的增益。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="183"/>
        <source>◆ %1</source>
        <translation>◆ %1</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="197"/>
        <source>KL gain (nats/token)</source>
        <translation>KL 增益（纳特/词元）</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="198"/>
        <source>−KL above the worst (nats/token)</source>
        <translation>高出最差层的 −KL（纳特/词元）</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="199"/>
        <source>relative squared error</source>
        <translation>相对平方误差</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="210"/>
        <source>KL gain = KL(all linear) − KL(only this layer kept). Higher: this layer needs softmax more. Whiskers: 95 % interval.</source>
        <translation>KL 增益 = KL(全线性) − KL(仅保留该层)。越高，该层越需要 softmax。须线为 95 % 区间。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="211"/>
        <source>KL of the worst layer − KL with only this layer kept. Higher: this layer needs softmax more. Whiskers: 95 % interval.</source>
        <translation>最差层的 KL − 仅保留该层的 KL。越高，该层越需要 softmax。须线为 95 % 区间。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="212"/>
        <source>What stage 1 could not imitate of each layer&apos;s attention. Higher: harder to make linear. A first look; trained scores take its place.</source>
        <translation>第一阶段未能模仿的各层注意力。越高，越难变为线性。仅为初步结果，随后由训练后的得分取代。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="213"/>
        <source>As the selector gives it. Whiskers: 95 % interval.</source>
        <translation>选择器给出的原值。须线为 95 % 区间。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="283"/>
        <source>Open a teacher to score its layers.</source>
        <translation>打开教师模型以为其各层评分。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="285"/>
        <source>The first scores appear here in a moment.</source>
        <translation>首批得分稍后显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="326"/>
        <source>no scores</source>
        <translation>无得分</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/plots/layerbarplot.cpp" line="326"/>
        <source>%n layers; the highest is layer %1 with %2</source>
        <translation>
            <numerusform>共 %n 层；最高的是第 %1 层，为 %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::LayersPage</name>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="211"/>
        <source>KL (nats/token)</source>
        <translation>KL（纳特/词元）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="121"/>
        <source>by &amp;layer</source>
        <translation>按层(&amp;L)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="86"/>
        <source>&amp;Open your own model…</source>
        <translation>打开自己的模型(&amp;O)…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="91"/>
        <source>This is a 0.2 M parameter teacher that can recall. Drag K. Then open your own model.</source>
        <translation>这是一个能够回忆的 0.2 M 参数教师模型。拖动 K 试试，然后打开自己的模型。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="121"/>
        <source>by ran&amp;k</source>
        <translation>按排名(&amp;K)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="126"/>
        <source>Scores shown</source>
        <translation>显示的得分</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="127"/>
        <source>none yet</source>
        <translation>尚无</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="128"/>
        <source>S&amp;cores:</source>
        <translation>得分(&amp;C)：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="137"/>
        <source>Scores laid over the bars</source>
        <translation>叠加在柱形上的评分</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="138"/>
        <source>A second scoring as diamonds beside the bars</source>
        <translation>以菱形在柱形旁显示另一组评分</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="139"/>
        <location filename="../widgets/pages/layerspage.cpp" line="250"/>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="140"/>
        <source>&amp;Overlay:</source>
        <translation>叠加(&amp;O)：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="143"/>
        <location filename="../widgets/pages/layerspage.cpp" line="313"/>
        <source>&amp;Score layers</source>
        <translation>为各层评分(&amp;S)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="144"/>
        <source>Measure what each layer gains as a softmax layer (Ctrl+R)</source>
        <translation>测量每层作为 softmax 层的增益 (Ctrl+R)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="166"/>
        <source>&amp;Distil this hybrid</source>
        <translation>蒸馏此混合模型(&amp;D)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="167"/>
        <source>Train the hybrid that keeps these layers, in the background (Ctrl+D)</source>
        <translation>在后台训练保留这些层的混合模型 (Ctrl+D)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="186"/>
        <source>Ranks</source>
        <translation>名次</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="206"/>
        <source>Distillation</source>
        <translation>蒸馏</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="208"/>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="211"/>
        <source>training</source>
        <translation>训练</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="211"/>
        <source>held out</source>
        <translation>留出</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="223"/>
        <source>%1 · probe %2</source>
        <translation>%1 · 探针 %2</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="267"/>
        <source>not measured yet</source>
        <translation>尚未测量</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="269"/>
        <source>measured: KL %1 ± %2 nats/token</source>
        <translation>实测：KL %1 ± %2 纳特/词元</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="325"/>
        <source>%1 training tokens a layer</source>
        <translation>每层 %1 训练词元</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="328"/>
        <source>shaded: layers %1 are not settled at this K, their intervals meet at the boundary</source>
        <translation>阴影：第 %1 层在此 K 下未定，其区间在边界处重叠</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="271"/>
        <source>perplexity %1</source>
        <translation>困惑度 %1</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="273"/>
        <source>recall %1</source>
        <translation>召回率 %1</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="305"/>
        <source>softmax in layers %1</source>
        <translation>第 %1 层为 softmax</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="313"/>
        <source>&amp;Score again</source>
        <translation>重新评分(&amp;S)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="330"/>
        <source>custom set: layers %1</source>
        <translation>自定义集合：第 %1 层</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::MessageLine</name>
    <message>
        <location filename="../widgets/views/messageline.cpp" line="27"/>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <location filename="../widgets/views/messageline.cpp" line="27"/>
        <source>Notice</source>
        <translation>通知</translation>
    </message>
    <message>
        <location filename="../widgets/views/messageline.cpp" line="28"/>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::OverlapPage</name>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="41"/>
        <source>&amp;Score layers</source>
        <translation>为各层评分(&amp;S)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="74"/>
        <source>Copy as TSV</source>
        <translation>复制为 TSV</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="87"/>
        <source>&amp;matrix</source>
        <translation>矩阵(&amp;M)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="87"/>
        <source>t&amp;able</source>
        <translation>表格(&amp;A)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="90"/>
        <source>&amp;Copy as TSV</source>
        <translation>复制为 TSV(&amp;C)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="91"/>
        <source>The whole table, for a spreadsheet (Ctrl+C)</source>
        <translation>整个表格，供电子表格使用（Ctrl+C）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="116"/>
        <source>Overlap of the choices, as a table</source>
        <translation>各方案的重叠（表格）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="136"/>
        <source>The chosen pair</source>
        <translation>所选的一对</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="194"/>
        <source>Kept by both: %1. Only by the first (A): %2. Only by the second (B): %3.</source>
        <translation>两者都保留：%1。仅第一个（A）保留：%2；仅第二个（B）保留：%3。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="226"/>
        <source>Two random sets of %1 of %2 layers: J = %3 on average, 95 % from %4 to %5. Hatched: not to be told from chance (p ≥ %6).</source>
        <translation>从 %2 层中随机取 %1 层的两个集合：平均 J = %3，95 % 在 %4 至 %5 之间。带斜线的格与随机无法区分（p ≥ %6）。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="236"/>
        <source>Nothing has been measured on this teacher yet, so only rules and published sets are compared.</source>
        <translation>该教师模型尚无测量结果，因此只比较规则和已发表的集合。</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::OverlapPlot</name>
    <message>
        <location filename="../widgets/plots/overlapplot.cpp" line="39"/>
        <source>Overlap of the choices</source>
        <translation>各方案的重叠</translation>
    </message>
    <message>
        <location filename="../widgets/plots/overlapplot.cpp" line="48"/>
        <source>Jaccard index</source>
        <translation>Jaccard 指数</translation>
    </message>
    <message>
        <location filename="../widgets/plots/overlapplot.cpp" line="53"/>
        <source>choice, by its number</source>
        <translation>方案编号</translation>
    </message>
    <message>
        <location filename="../widgets/plots/overlapplot.cpp" line="102"/>
        <source>Open a teacher to compare the choices of its layers.</source>
        <translation>打开一个教师模型，以比较其选层方案。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/overlapplot.cpp" line="141"/>
        <source>▴ chance %1</source>
        <translation>▴ 随机 %1</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/plots/overlapplot.cpp" line="148"/>
        <source>%n choices; the arrow keys walk from cell to cell</source>
        <translation>
            <numerusform>共 %n 种方案；用方向键在格间移动</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::OverlapTable</name>
    <message>
        <location filename="../widgets/models/overlaptable.cpp" line="50"/>
        <source>%1 has no set of %2 layers.</source>
        <translation>%1 没有 %2 层的集合。</translation>
    </message>
    <message>
        <location filename="../widgets/models/overlaptable.cpp" line="50"/>
        <source>%1 is still being scored.</source>
        <translation>%1 仍在评分中。</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/models/overlaptable.cpp" line="58"/>
        <source>%1 keeps %n layers: %2.</source>
        <translation>
            <numerusform>%1 保留 %n 层：%2。</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/models/overlaptable.cpp" line="61"/>
        <source>%1 and %2 share %3 of %4 layers, J = %5; two random sets have %6 on average, and as much as this with p = %7.</source>
        <translation>%1 与 %2 共享 %4 层中的 %3 层，J = %5；两个随机集合平均为 %6，达到此值的概率 p = %7。</translation>
    </message>
    <message>
        <location filename="../widgets/models/overlaptable.cpp" line="70"/>
        <source>choice</source>
        <translation>方案</translation>
    </message>
    <message>
        <location filename="../widgets/models/overlaptable.cpp" line="70"/>
        <source>layers kept</source>
        <translation>保留的层</translation>
    </message>
    <message>
        <location filename="../widgets/models/overlaptable.cpp" line="117"/>
        <source>%1  %2</source>
        <translation>%1  %2</translation>
    </message>
    <message>
        <location filename="../widgets/models/overlaptable.cpp" line="120"/>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::PairStrips</name>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="44"/>
        <source>Layers of the two choices</source>
        <translation>两种方案的层</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="54"/>
        <source>%1 keeps layers %2; %3 keeps layers %4</source>
        <translation>%1 保留层 %2；%3 保留层 %4</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="116"/>
        <source>Layer %1: kept by both</source>
        <translation>第 %1 层：两者都保留</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="118"/>
        <source>Layer %1: only kept by %2</source>
        <translation>第 %1 层：仅 %2 保留</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="119"/>
        <source>Layer %1: kept by neither</source>
        <translation>第 %1 层：两者都不保留</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="127"/>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="127"/>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="127"/>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="154"/>
        <source>kept by both</source>
        <translation>两者都保留</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="154"/>
        <source>only A</source>
        <translation>仅 A</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="154"/>
        <source>only B</source>
        <translation>仅 B</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::RankPlot</name>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="27"/>
        <source>Rank of every layer against training tokens</source>
        <translation>各层名次随训练词元的变化</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="28"/>
        <source>enters the best K</source>
        <translation>进入前 K</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="29"/>
        <source>leaves it</source>
        <translation>退出前 K</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="32"/>
        <source>training tokens of a layer</source>
        <translation>每层的训练词元</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="34"/>
        <source>rank</source>
        <translation>名次</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="37"/>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="134"/>
        <source>K = %1</source>
        <translation>K = %1</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="159"/>
        <source>How the ranking of the layers comes about appears here.</source>
        <translation>各层排名的形成过程会显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="161"/>
        <source>Ranks appear here once every layer has been evaluated.</source>
        <translation>每一层都评估过一次后，名次会显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="162"/>
        <source>No scores yet.
Press “Score layers”: who enters and leaves the best K appears here, live.</source>
        <translation>尚无评分。
按“为各层评分”：哪些层进入或退出前 K，会在这里实时显示。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="213"/>
        <source>after %1 tokens: %2 entered the best %3, %4 left</source>
        <translation>%1 词元后：%2 进入前 %3，%4 退出</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/plots/rankplot.cpp" line="217"/>
        <source>the best %1 never changed over %n evaluations</source>
        <translation>
            <numerusform>前 %1 在 %n 次评估中从未改变</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="222"/>
        <source>no ranks</source>
        <translation>无名次</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/plots/rankplot.cpp" line="222"/>
        <source>%n layers; %1</source>
        <translation>
            <numerusform>共 %n 层；%1</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="242"/>
        <source>Layer %1: rank %2 after %3 tokens</source>
        <translation>第 %1 层：%3 词元后名次 %2</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::Session</name>
    <message>
        <location filename="../widgets/models/session.cpp" line="149"/>
        <source>The run is not in this workspace any more.</source>
        <translation>此运行已不在该工作区中。</translation>
    </message>
    <message>
        <location filename="../widgets/models/session.cpp" line="231"/>
        <source>Cancelled. It can be resumed from its last checkpoint.</source>
        <translation>已取消。可从最后一个检查点继续。</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::TeacherPage</name>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="18"/>
        <source>&amp;Score layers</source>
        <translation>为各层评分(&amp;S)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="40"/>
        <source>&amp;Open folder…</source>
        <translation>打开文件夹(&amp;O)…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="40"/>
        <source>Open &amp;GGUF…</source>
        <translation>打开 GGUF(&amp;G)…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="40"/>
        <source>Open &amp;demo</source>
        <translation>打开演示(&amp;D)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="41"/>
        <source>A Hugging Face folder with config.json and safetensors (Ctrl+O)</source>
        <translation>含 config.json 和 safetensors 的 Hugging Face 文件夹 (Ctrl+O)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="42"/>
        <source>A GGUF file (Ctrl+Shift+O)</source>
        <translation>GGUF 文件 (Ctrl+Shift+O)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="43"/>
        <source>The 0.2 M parameter teacher that ships with the program</source>
        <translation>随程序附带的 0.2 M 参数教师模型</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="44"/>
        <source>Measure what each layer gains as a softmax layer (Ctrl+R)</source>
        <translation>测量每层作为 softmax 层的增益 (Ctrl+R)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="76"/>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="83"/>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="84"/>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="84"/>
        <source>%1, MLP %2 (%3)</source>
        <translation>%1，MLP %2（%3）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="85"/>
        <source>Heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="85"/>
        <source>%1 query, %2 key/value, %3 wide</source>
        <translation>%1 个查询头，%2 个键/值头，宽 %3</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="86"/>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="86"/>
        <source>%1, head tied to the embedding</source>
        <translation>%1，输出头与嵌入共享</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="87"/>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="87"/>
        <source>%1 (%2 as float32)</source>
        <translation>%1（float32 为 %2）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="88"/>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="88"/>
        <source>%1 tokens, RoPE base %2 (%3)</source>
        <translation>%1 词元，RoPE 基数 %2（%3）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="89"/>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="89"/>
        <source>%1 per token (bf16)</source>
        <translation>每词元 %1 (bf16)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="90"/>
        <source>Stored as</source>
        <translation>存储格式</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="91"/>
        <source>Features</source>
        <translation>特性</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="92"/>
        <source>Tokenizer</source>
        <translation>分词器</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="92"/>
        <source>understood</source>
        <translation>可识别</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="92"/>
        <source>none in the folder</source>
        <translation>文件夹中没有</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="99"/>
        <source>What a linear layer takes</source>
        <translation>一个线性层的开销</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="100"/>
        <source>Mixer</source>
        <translation>混合器</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="100"/>
        <source>Parameters a layer</source>
        <translation>每层参数</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="100"/>
        <source>State a layer</source>
        <translation>每层状态</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="100"/>
        <source>Does not carry over</source>
        <translation>不能带过去的</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="118"/>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="122"/>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="122"/>
        <source>not exact: %1</source>
        <translation>不精确：%1</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="154"/>
        <source>Open a teacher</source>
        <translation>打开教师模型</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="155"/>
        <source>A Hugging Face folder (Llama, Qwen2, Qwen3, Mistral, SmolLM2) or a GGUF file; drop it anywhere in this window.</source>
        <translation>Hugging Face 文件夹（Llama、Qwen2、Qwen3、Mistral、SmolLM2）或 GGUF 文件；拖放到此窗口任意位置。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="160"/>
        <source>This is a 0.2 M parameter teacher that can recall (its local heads were initialised, retrieval was learned). Drag K on the Layers page. Then open your own model.</source>
        <translation>这是一个能够回忆的 0.2 M 参数教师模型（局部头经过初始化，检索能力是学到的）。请在“层”页面拖动 K，然后打开您自己的模型。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="161"/>
        <source>%1 · %2 · %3</source>
        <translation>%1 · %2 · %3</translation>
    </message>
</context>
</TS>
